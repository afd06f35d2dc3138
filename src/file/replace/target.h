// SPDX-License-Identifier: Apache-2.0
//
// Target: the file that a path means, as an open directory and one name in it.
//
// Guarantee: from here on nobody can move the work elsewhere by swapping a directory or a link:
// everything happens relative to the open parent. What `links` says holds for every component:
//   kRefuse   no component is a link, the last one included (checked again at every use)
//   kFollow   links are followed to the end, also in the last component; the target is the file
//             that they lead to, in its own directory. A link that leads to nothing is refused:
//             nobody can say which of the two was meant.
//   kReplace  no link above the last component; the last one may be a link, which is then what is
//             replaced
//
// With `trust` kOnlyOwn the directory of the file, and of every link at the end of the path that
// was followed, must be one that no other user can write to (dir_trust.h).
//
// Errors: kRefused `untrusted-dir`, `is-link` (naming the component), `dangling-link`,
// `too-many-links`, `not-a-directory`, `unsafe-name` (an empty name, `.`, `..`, a trailing slash, a
// NUL byte); kNotFound where the directory is not there; else see os_error.h.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "file/replace/dir_trust.h"
#include "os/dir/dir.h"

namespace holdfast::file {

enum class Links : std::uint8_t { kRefuse, kFollow, kReplace };

struct Target {
  os::Dir dir;
  os::SafeName name;
  std::string path;  // as it was typed, or where links led; for messages and records
};

Result<Target> locate(const std::string& path, Links links, TrustDir trust = TrustDir::kAny);

// The last name as it stands, be it a link or not; links above it are followed.
Result<Target> locate_name(const std::string& path);

}  // namespace holdfast::file
