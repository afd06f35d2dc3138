// SPDX-License-Identifier: Apache-2.0
//
// The directory that relative paths start from, as an absolute path. Fails where it was removed or
// cannot be named; a relative path then has no meaning and must not be guessed.
#pragma once

#include <string>

#include "base/result.h"

namespace holdfast::os {

Result<std::string> working_dir();

}  // namespace holdfast::os
