// SPDX-License-Identifier: Apache-2.0
//
// Which directories outside of the home belong to workspaces: `sessions/.holdfast-outside/<hex
// id>`.
//
// Why the record does not say it alone: the record of a workspace in the home lies in the directory
// that its agent works in. An agent that wrote into it "my directory is /srv/precious" would have
// gc delete that. So a directory outside is believed only where this list, in which no agent
// works, has the same name, id, path, device, inode and time of birth.
//
// The time of birth is compared because inodes are given out again: a directory that somebody made
// at the path after ours was removed may well have its number.
//
// Written, durably, before the record that it is about; removed after that record is gone for good.
// One that no record is about (a death in between) leads nobody anywhere; it keeps its directory
// from being adopted until gc clears it away (gc/leftovers.h).
//
// Errors: kCorrupt `bad-outside-entry`, kRefused as own_file.h says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/session/workspace_record.h"
#include "os/dir/dir.h"
#include "os/dir/dir_metadata.h"
#include "session/record/store.h"

namespace holdfast::session {

struct OutsideEntry {
  Id128 id{};
  std::string name{};  // of the workspace
  std::string directory{};
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t birth_ns = 0;  // since 1970, of the directory; 0: the file system does not tell

  bool operator==(const OutsideEntry&) const = default;
};

Result<> write_outside(const SessionStore& store, const OutsideEntry& entry);
Result<std::optional<OutsideEntry>> find_outside(const SessionStore& store, const Id128& id);
// What cannot be read is an error: nothing may be removed then.
Result<std::vector<OutsideEntry>> list_outside(const SessionStore& store);
Result<> remove_outside(const SessionStore& store, const Id128& id);
// When its entry was last written, by the wall clock; nullopt: there is none.
Result<std::optional<WallTime>> outside_written(const SessionStore& store, const Id128& id);

// Is `dir` the directory of the entry?
Result<bool> is_directory_of(const OutsideEntry& entry, const os::Dir& dir);
// Does the list say what the record says? nullopt: no, or there is none. Of records inside the home
// there is nothing to ask.
Result<std::optional<OutsideEntry>> confirmed_outside(const SessionStore& store,
                                                      const WorkspaceRecord& record);

// The mark on a workspace's directory outside of the home: which home, and which workspace of it,
// the directory belongs to (rule G6). Two homes do not know of each other; without the mark each
// could adopt the other's directories, and its gc would take them.
//
// The mark (os/dir/dir_metadata.h) holds the id of the workspace, the path of its home's sessions/,
// and the inode and time of birth of the directory that it is on.
//
//   no mark                          nobody's: no other home has it, or an older holdfast made it
//   inode or birth of another one    nobody's: a copy of a workspace's directory
//   the home named has no entry of   nobody's: the workspace was forgotten or removed
//   that workspace
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

// The sessions/ of the home that has it; nullopt: no other home has it.
Result<std::optional<std::string>> other_home_of(const SessionStore& store, const os::Dir& dir);

// The directory is marked as that of `id`, a workspace of this home. Errors: kRefused `other-home`,
// and then nothing was changed; kBusy `directory-busy`.
Result<os::Marked> mark_owner(const SessionStore& store, const os::Dir& dir, const Id128& id);
// Takes the mark of `id` off; another one stays.
Result<> unmark_owner(const os::Dir& dir, const Id128& id);

}  // namespace holdfast::session
