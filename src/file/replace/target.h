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
// was followed, must be one that no other user can write to (check_dir).
//
// Errors: kRefused `untrusted-dir`, `is-link` (naming the component), `dangling-link`,
// `too-many-links`, `not-a-directory`, `unsafe-name` (an empty name, `.`, `..`, a trailing slash, a
// NUL byte); kNotFound where the directory is not there; else see os_error.h.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/file.h"

namespace holdfast::file {

// check_dir: may another user change what is in this directory? (rule F3). Every file command asks
// it, readers too, before it believes or changes anything in the directory.
//
// The hostile interleaving: a ledger in a directory that Eve may write. We ask `ledger last`; Eve
// renames an old copy of the file, which belongs to us, over the name; we answer from a stale row;
// Eve renames the new one back. Nothing about the file itself shows it. A name beside the file
// (`.NAME.lock`, `.NAME.hf-undo`) does as much harm, so the right to add names is enough: a
// directory that everybody may write is refused with the sticky bit as well (/tmp).
//
// Refused: the directory belongs to another user but root; everybody may write to it; its group
// may, unless that is the private group of this user or of root. A group is private by evidence
// alone: it is called as the user, it is that user's primary group in /etc/passwd, nobody else's,
// it has no other member in /etc/group, and the directory has no access list.
//
// Limits: members that only a directory service knows, and processes that were given the group in
// another way, are not seen. The directories above are not judged: who may rename this directory
// can put another one in its place (`holdfast doctor PATH` names them). Windows: who may add names
// is not refused there, only who may replace them.
//
// Errors: kRefused `untrusted-dir`.
enum class TrustDir : std::uint8_t {
  kOnlyOwn,
  kAny,  // --trust-dir: the caller trusts whoever may write there
};

// `path` is the file that is meant, for the message.
Result<> check_dir(const os::Dir& dir, const std::string& path, TrustDir trust);

// The same of `file` in `dir`, which says what is run (a profile, a loop, a manifest): it may
// belong to nobody else, and nobody else may write to it, by the same rule about groups.
// kRefused `untrusted-file`.
Result<> check_config(const os::Dir& dir, const os::File& file, const std::string& path,
                      TrustDir trust);

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
