// SPDX-License-Identifier: Apache-2.0
//
// The file or directory that a user names to be locked itself, found and opened for flock(2) by a
// program that runs unattended, perhaps as root, in directories of others (/tmp, /run/lock).
//
// Guarantees: it is opened to read, and nothing is written into it. It is created where it is
// missing, with mode 0666 less the umask, as flock(1) does, and never through a link. What is there
// already is opened without O_CREAT: fs.protected_regular refuses that in /tmp for the file of
// another user, whom the lock is shared with. Nothing but a regular file or a directory is opened
// for good: a FIFO or a device put in its place must not hang us.
//
// A link at the end of the path is followed, but not if somebody else may have planted it: one in a
// directory with the sticky bit that everybody may write to, which belongs neither to this user nor
// to the owner of that directory. Else another user chooses which file we create and lock. (Links
// above the last component are the kernel's business: fs.protected_symlinks.)
//
// Errors: kRefused `planted-link`, `too-many-links`, `is-link` (swapped in this moment),
// `not-lockable`; kCannotTell `vanishes`; else os_error.h. Windows: kOsRefused `unsupported`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/stat_without_times.h"

namespace holdfast::os {

// Where it lies, links resolved; it may not exist yet.
struct LockPath {
  Dir dir;
  SafeName name;
  std::string real_path;  // absolute
};

// kNotFound: there is no such directory. kUsage `root` for `/`, which lies in no directory.
Result<LockPath> find_lock_path(const std::string& path);

enum class MakeLockPath : std::uint8_t { kNo, kYes };
// nullopt: it is not there and was not to be made.
Result<std::optional<OpenedFile>> open_lock_path(const Dir& dir, const SafeName& name,
                                                 MakeLockPath make);

}  // namespace holdfast::os
