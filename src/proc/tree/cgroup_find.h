// SPDX-License-Identifier: Apache-2.0
//
// What is in a control group (v2): its members, and what became of the group of a dead session.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/id128.h"
#include "base/result.h"
#include "format/session/session_record.h"
#include "os/dir/dir.h"
#include "os/process/pid.h"
#include "proc/tree/cgroup.h"

namespace holdfast::proc {

// The members of a control group (v2) and of the groups below it: listing them, and signalling one
// without hitting another.
//
// Guarantee: nobody is signalled who was not in the group at that moment; cgroup_find.cc has the
// argument. Limit: who forks behind a listing is missed by it: the proof that a group is empty is
// `populated 0` (cgroup.h).
// Errors: kOsRefused and the like where the lists cannot be read, or there are no pidfds here.
Result<CgroupMembers> list_members(const os::Dir& group);

// Who was reached by all of `signals`, sent in this order.
Result<std::vector<os::Pid>> signal_members(const os::Dir& group, const std::vector<int>& signals,
                                            const std::function<bool(os::Pid)>& wanted);

// Calls `visit` for each group directly below; a link is not one.
Result<> each_group_below(const os::Dir& group,
                          const std::function<Result<>(const os::SafeName&)>& visit);

inline constexpr int kMaxGroupDepth = 64;  // below the first; deeper ones are not walked

// What became of the group that a session's record names, after the death of whoever made it.
//
// Three answers:
//   kEmpty       proven: nobody is in it. It is there and the kernel says `populated 0`; or it is
//                gone, and a group cannot go while somebody is in it
//   kLives       somebody is in it
//   kCannotTell  why: `no-cgroup-here` (not mounted at the place that the record names),
//                `other-root` (another part of the hierarchy is mounted there, as in a container:
//                the same path means another group), `not-its-group` (the record is forged or
//                damaged), `unreadable`
//
// "Gone" is only said from inside the same hierarchy: the walk along the path must pass the very
// directory that was mounted when the group was made, which its inode tells. From there on every
// name means what it meant, because v2 groups cannot be renamed. A group of that name with another
// inode is a later one.
//
// Limits: inodes are counted anew after a boot: whether the record is of this boot is asked first
// (proc/identity/verdict.h). Somebody privileged who mounts one part of the hierarchy over another is
// believed.
struct CgroupLook {
  enum class State : std::uint8_t { kEmpty, kLives, kCannotTell };
  State state = State::kCannotTell;
  std::string evidence{};  // a stable word: `gone`, `other-inode`, `populated-0`, `populated-1`, or
                           // one of the above
  std::string detail{};    // for people, of kCannotTell
  CgroupMembers members{};  // of kLives, as far as one can see
};

// `run` is the record's own: a group that is not named after it is not its group.
CgroupLook find_cgroup(const SessionCgroup& group, const Id128& run);

}  // namespace holdfast::proc
