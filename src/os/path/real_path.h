// SPDX-License-Identifier: Apache-2.0
//
// The path of an open directory with every link on the way resolved, as the kernel knows it now. It
// serves people and checks of what lies above; whoever acts uses the handle, for a path may be
// swapped. Fails where the directory was removed or cannot be named (outside this root).
#pragma once

#include <string>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

Result<std::string> real_path_of(const Dir& dir);

}  // namespace holdfast::os
