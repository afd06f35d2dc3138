// SPDX-License-Identifier: Apache-2.0
//
// Limits: what a tree may use, enforced by the kernel or refused; never accepted and then ignored.
//
// For each that is asked for, the strongest way that works here:
//   memory  bytes of the whole tree, swap included: the tree's own v2 group; else a v1 group of
//           that controller; else, only if `memory_by_rlimit` asks for it, address space, of each
//           process for itself: it counts what is reserved and never used, so runtimes that reserve
//           a lot (Node, Go, Java) do not start under it
//   pids    processes and threads of the whole tree: v2, v1; else not at all (the rlimit counts
//           all processes of the user)
//   cpu     percent of one processor, for the whole tree (150: one and a half): v2, v1; else not
//           at all
//   nofile  open files of each process: rlimit
//
// A v2 group has a controller only if its parent hands it down, and the kernel lets a group with
// processes of its own, other than the root, hand down nothing: so v2 limits work where this
// process's own group already hands the controller down, or may be told to.
//
// Guarantee: no byte of the command runs without them: apply_to() is for a child at its gate
// (os/spawn/spawn.h), and all that it starts inherits them. Who is killed by the memory limit is the
// kernel's choice, one process at a time; how often it happened is oom_kills().
//
// Limits: a process with the right to do so can move itself out of a group.
//
// Sequence: prepare → spawn → apply_to(each) → open the gates → … → oom_kills → remove.
// Errors of prepare: kOsRefused, cause `limit-not-enforceable`, with what is missing; nothing is
// left behind. With `best_effort` there is none: by() says of each what became of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id128.h"
#include "base/result.h"
#include "os/dir/dir.h"
#include "os/path/safe_name.h"
#include "os/process/pid.h"
#include "os/process/process_limit.h"
#include "proc/tree/cgroup.h"

namespace holdfast::proc {

struct LimitRequest {
  std::optional<std::uint64_t> memory{};  // bytes
  bool memory_by_rlimit = false;
  std::optional<std::uint64_t> pids{};         // at least 1
  std::optional<std::uint64_t> cpu_percent{};  // at least 1
  std::optional<std::uint64_t> nofile{};       // at least 4: three streams and one to start with
  bool best_effort = false;

  [[nodiscard]] bool any() const { return memory || pids || cpu_percent || nofile; }
  // Of the whole tree, so that a group is the strongest way.
  [[nodiscard]] bool of_the_tree() const { return memory || pids || cpu_percent; }
};

enum class LimitBy : std::uint8_t { kCgroup2, kCgroup1, kRlimit, kNothing };
std::string_view name(LimitBy by);  // "cgroup", "cgroup v1", "rlimit", "not enforced"

struct LimitAnswer {
  std::string_view limit;  // "memory", "pids", "cpu", "nofile"
  LimitBy by = LimitBy::kNothing;
  std::string why{};  // for kRlimit how it is weaker, for kNothing what is missing
};
// "memory: cgroup", "cpu: not enforced (…)".
std::string to_text(const LimitAnswer& answer);

class Limits {
 public:
  Limits() = default;  // none

  // `group` is the tree's own v2 group, null where it has none.
  static Result<Limits> prepare(const LimitRequest& request, const Id128& run,
                                const CgroupTree* group);

  [[nodiscard]] const std::vector<LimitAnswer>& by() const { return by_; }
  [[nodiscard]] std::vector<std::string> by_text() const;

  [[nodiscard]] Result<> apply_to(os::Pid child_at_its_gate) const;
  // How many processes the kernel has killed because of the memory limit; nullopt: it does not say.
  [[nodiscard]] Result<std::optional<std::uint64_t>> oom_kills() const;
  // Removes the v1 groups. kBusy: somebody is in one.
  Result<CgroupTree::Removal> remove();
  // The same for who ends the tree of a supervisor that died. Looks below this process's own
  // groups, which need not be the dead one's: an empty group that stays harms nobody.
  static Result<CgroupTree::Removal> remove_left_behind(const Id128& run);

 private:
  struct V1Group {
    os::Dir parent;
    os::Dir dir;
  };
  struct OfProcess {
    os::ProcessLimit limit;
    std::uint64_t value;
  };
  class Builder;

  std::vector<LimitAnswer> by_{};
  std::vector<V1Group> v1_{};
  std::vector<OfProcess> of_process_{};
  std::optional<os::ControlFile> oom_{};  // the file that counts them
};

}  // namespace holdfast::proc
