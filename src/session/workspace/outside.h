// SPDX-License-Identifier: Apache-2.0
//
// Which directories outside of the home belong to sessions: `sessions/.holdfast-outside/<hex id>`.
//
// Why the record does not say it alone: the record of a session in the home lies in the directory
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
#include "format/session/harness_record.h"
#include "os/dir/dir.h"
#include "session/record/store.h"

namespace holdfast::session {

struct OutsideEntry {
  Id128 id{};
  std::string name{};  // of the session
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
                                                      const HarnessRecord& record);

}  // namespace holdfast::session
