// SPDX-License-Identifier: Apache-2.0
//
// New names for what is there: moved from another directory, or a link to it.
//
// move_new: a name goes from one directory to another of the same file system, in one step that
// never replaces. What has the name in `to` stays (kNameTaken). Links are moved, not followed.
//
// Errors: kNotFound where there is nothing to move; `exdev` between file systems; a file system or
// kernel that cannot promise not to replace answers EINVAL or ENOSYS. Nothing has changed then.
// On Windows a link that only its path shows (Wine) is kRefused `is-link`, and a directory that is
// open anywhere, or in which anything is open, is kBusy (os/dir/dir_hold.h moves one that is open
// here).
#pragma once

#include <string>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

Result<Placed> move_new(const Dir& from, const SafeName& name, const Dir& to,
                        const SafeName& new_name);

// make_link: a new symbolic link in an open directory, with `target` as its text, which is not
// looked at. It never replaces: what has the name stays (kNameTaken).
//
// Errors: see os_error.h; kRefused `unsafe-name` for a target that holds a NUL byte. On Windows the
// target is looked at, because links to files and to directories are two kinds there, and `eperm`
// is the answer to who has neither developer mode nor the privilege. Wine: kRefused `unsupported`.
Result<Placed> make_link(const Dir& dir, const SafeName& name, const std::string& target);

}  // namespace holdfast::os
