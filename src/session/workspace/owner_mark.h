// SPDX-License-Identifier: Apache-2.0
//
// The mark on a session's directory outside of the home: which home, and which session of it, the
// directory belongs to (rule G6). Two homes do not know of each other; without the mark each could
// adopt the other's directories, and its gc would take them.
//
// The mark (os/dir/dir_metadata.h) holds the id of the session, the path of its home's sessions/, and the
// inode and time of birth of the directory that it is on.
//
//   no mark                          nobody's: no other home has it, or an older holdfast made it
//   inode or birth of another one    nobody's: a copy of a session's directory
//   the home named has no entry of
//   that session (session/workspace/outside.h) nobody's: the session was forgotten or removed
//   the home named has one           that home's
//   the home named cannot be read,
//   or the mark cannot               that home's, as long as nobody can tell
//
// Hostile interleaving: two homes adopt one directory at once, and both find no mark, or the same
// stale one. The look and the change are made under the directory's lock (os/lock/dir_lock.h), and a
// mark never replaces another. Death in between leaves no mark, as an older holdfast does.
//
// Limits: a mark is evidence and no protection from the directory's own user, who can remove or
// forge it: a forged one keeps a directory, and never gives one away. Where marks are not offered
// there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/id128.h"
#include "base/result.h"
#include "os/dir/dir.h"
#include "os/dir/dir_metadata.h"
#include "session/record/store.h"

namespace holdfast::session {

// The sessions/ of the home that has it; nullopt: no other home has it.
Result<std::optional<std::string>> other_home_of(const SessionStore& store, const os::Dir& dir);

// The directory is marked as that of `id`, a session of this home. Errors: kRefused `other-home`,
// and then nothing was changed; kBusy `directory-busy`.
Result<os::Marked> mark_owner(const SessionStore& store, const os::Dir& dir, const Id128& id);
// Takes the mark of `id` off; another one stays.
Result<> unmark_owner(const os::Dir& dir, const Id128& id);

}  // namespace holdfast::session
