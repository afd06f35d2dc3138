// SPDX-License-Identifier: Apache-2.0
//
// CgroupTree: a control group (v2) that a tree of processes is born into and ended through.
//
// Guarantees:
//   - The group is new and lies below this process's own (cgroup_place.h), as holdfast-<first 16
//     hex digits of the run id>.
//   - Whoever is started inside stays inside, whatever it forks, and however often; only a process
//     with the right to write to another group can leave. kill() strikes all of them at once.
//   - populated() false is the proof that nobody is left in it, nor in any group below.
//   - Its maker holds the lock of its directory as long as it lives, so that a group without a maker
//     can be told (dead_groups.h). A lock that somebody else has just then is done without.
//   - It outlives the process that made it: find_cgroup (cgroup_find.h) tells what became of it.
//
// Limits: a member that left the group is not in it: where that matters, the maker is a subreaper
// too. A process in uninterruptible sleep takes its KILL when it wakes up. In a login session whose
// group belongs to root, in a container with read-only groups, and without groups, none can be
// made.
//
// Sequence: make → os::SpawnRequest::cgroup = handle() → … → kill() until populated() is false,
// waiting for changes() in between → remove().
// Nothing is removed by a destructor: the group is the only trace of what lives in it.
//
// Errors of make: kOsRefused (`no-cgroup`, `eacces`, `erofs`, …), and nothing was made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id128.h"
#include "base/result.h"
#include "format/session/session_record.h"
#include "os/dir/dir.h"
#include "os/lock/dir_lock.h"
#include "os/process/pid.h"
#include "os/stream/control_file.h"
#include "os/watch/watch.h"
#include "proc/tree/cgroup_place.h"

namespace holdfast::proc {

// holdfast-<first 16 hex digits>.
std::string cgroup_name(const Id128& run);
bool is_cgroup_name(std::string_view name);

struct CgroupMembers {
  std::vector<os::Pid> pids{};  // sorted, each once
  std::size_t unseen = 0;       // of another pid namespace, so that they have no number here
  [[nodiscard]] bool empty() const { return pids.empty() && unseen == 0; }
};

class CgroupTree {
 public:
  static Result<CgroupTree> make(const Id128& run);
  static Result<CgroupTree> make(const CgroupPlace& place, const Id128& run);
  // One that a record names, for who did not make it. nullopt: find_cgroup does not say that it is
  // there; ask it why.
  static Result<std::optional<CgroupTree>> open(const SessionCgroup& group, const Id128& run);

  // For the record.
  [[nodiscard]] const SessionCgroup& id() const { return id_; }
  [[nodiscard]] const os::Dir& dir() const { return dir_; }
  [[nodiscard]] const os::Dir& parent() const { return parent_; }
  [[nodiscard]] os::NativeHandle handle() const { return dir_.native(); }

  // Is anybody in it, or in a group below? False also where the group itself is gone. Allocates
  // nothing unless it fails.
  [[nodiscard]] Result<bool> populated() const;
  // Readable when the answer of populated() has changed since it was last asked.
  [[nodiscard]] const os::Handle& changes() const { return watch_.handle(); }

  // One blow: KILL to everybody in it and below. Where the kernel cannot do it at once (before
  // 5.14), to those whom a listing shows, each proven a member (cgroup_find.h): call it again.
  // With cgroup.kill it allocates nothing unless it fails.
  enum class Blow : std::uint8_t { kAll, kThoseSeen };
  [[nodiscard]] Result<Blow> kill() const;

  // Who is there now; not a snapshot, and an empty list proves nothing.
  [[nodiscard]] Result<CgroupMembers> members() const;
  // Sends `signals` to each member that `wanted` names; who was reached.
  [[nodiscard]] Result<std::vector<os::Pid>> signal_members(
      const std::vector<int>& signals, const std::function<bool(os::Pid)>& wanted) const;

  // Removes it and the groups that were made below it. kBusy: somebody is in one of them, and that
  // one and those above are still there.
  enum class Removal : std::uint8_t { kRemoved, kBusy };
  [[nodiscard]] Result<Removal> remove() const;

 private:
  CgroupTree(os::Dir parent, os::Dir dir, SessionCgroup id, os::ControlFile events,
             os::ChangeWatch watch, std::optional<os::ControlFile> kill);
  static Result<CgroupTree> make_once(const CgroupPlace& place, const os::SafeName& name);
  static Result<CgroupTree> open_in(const CgroupPlace& place, const os::SafeName& name);

  os::Dir parent_;
  os::Dir dir_;
  SessionCgroup id_;
  os::ControlFile events_;
  os::ChangeWatch watch_;
  std::optional<os::DirLock> lock_{};    // of whoever made it
  std::optional<os::ControlFile> kill_;  // held open: it works without memory and descriptors
};

// Removes the group `name` in `parent`, and those below it first, deepest first; no link is
// followed. Of v1 and v2.
Result<CgroupTree::Removal> remove_cgroup(const os::Dir& parent, const os::SafeName& name);

}  // namespace holdfast::proc
