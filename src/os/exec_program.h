// SPDX-License-Identifier: Apache-2.0
//
// Becoming another program, in this process: it does not come back unless it fails. `argv[0]` is
// the name that the program is told; nothing is searched for. Windows has no such thing: kRefused
// `unsupported`.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace holdfast::os {

Error exec_program(const std::string& path, const std::vector<std::string>& argv);

}  // namespace holdfast::os
