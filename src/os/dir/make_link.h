// SPDX-License-Identifier: Apache-2.0
//
// make_link: a new symbolic link in an open directory, with `target` as its text, which is not
// looked at. It never replaces: what has the name stays (kNameTaken).
//
// Errors: see os_error.h; kRefused `unsafe-name` for a target that holds a NUL byte. On Windows the
// target is looked at, because links to files and to directories are two kinds there, and `eperm`
// is the answer to who has neither developer mode nor the privilege. Wine: kRefused `unsupported`.
#pragma once

#include <string>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

Result<Placed> make_link(const Dir& dir, const SafeName& name, const std::string& target);

}  // namespace holdfast::os
