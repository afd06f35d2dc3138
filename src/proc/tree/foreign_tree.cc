// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving is that of tree.cc: between a look at /proc and the signal, a process
// ends and its number goes to a stranger. The argument is the same too, but stands on other feet:
//   1. What was added is pinned and was proven by its identity.
//   2. Let Q be pinned and proven. Pin P. Read P's parent: it says Q. Then see that neither pidfd
//      has ended: the row was read from the pinned P, and "Q" in it meant the pinned Q.
//   3. The signal goes through P's pidfd: it reaches that process or nobody.
// Step 1 of tree.cc, "an orphan is ours", does not hold here: the orphans of a foreign tree go to
// its subreaper, if it has one, and else to process 1. Therefore all pins are kept: a process that
// was once proven stays so when its parent ends, and so do its children.
//
// Where the descriptors run out, the rest waits for a later look: pins of ended ones are closed.
#include "proc/tree/foreign_tree.h"

#include <algorithm>

#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "os/watch/poll.h"
#include "proc/tree/process_table.h"

namespace holdfast::proc {

void ForeignTree::add(os::Pid pid, os::Handle pidfd, Role role) {
  if (pid == os::own_pid()) holds_caller_ = true;
  const auto facts = read_process(pid);
  std::string name = facts && *facts ? (*facts)->name : std::string();
  const auto [at, is_new] = known_.try_emplace(
      pid, Member{.pidfd = std::move(pidfd), .name = std::move(name), .role = role});
  if (is_new) order_.push_back(pid);
}

bool ForeignTree::is_child(os::Pid pid, const os::Handle& pin, os::Pid parent,
                           const os::Handle& parent_pin) const {
  const auto facts = read_process(pid);
  if (!facts || !*facts || (*facts)->parent != parent) return false;
  // What cannot be seen to live proves nothing.
  return !os::has_ended(pin).value_or(true) && !os::has_ended(parent_pin).value_or(true);
}

Result<std::size_t> ForeignTree::grow() {
  HF_TRY(drop_ended());
  const ProcessTable table = HF_TRY(read_process_table());
  std::multimap<os::Pid, const ProcessFacts*> children;
  for (const ProcessFacts& facts : table.rows) children.emplace(facts.parent, &facts);
  std::size_t found = 0;
  // `order_` grows while it is walked, so children of new members are looked at as well.
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const os::Pid parent = order_[next];
    const auto [first, last] = children.equal_range(parent);
    for (auto row = first; row != last; ++row) {
      const os::Pid pid = row->second->pid;
      if (known_.contains(pid) || row->second->is_zombie()) continue;
      auto pin = os::open_pidfd(pid);
      if (!pin || !*pin) continue;
      if (!is_child(pid, **pin, parent, known_.at(parent).pidfd)) continue;
      add(pid, std::move(**pin));
      ++found;
    }
  }
  return found;
}

void ForeignTree::signal(int number) {
  for (const os::Pid pid : order_) {
    Member& member = known_.at(pid);
    if (member.role == Role::kGuide || pid == os::own_pid()) continue;
    const auto sent = os::signal_pidfd(member.pidfd, number);
    member.refused = !sent || *sent == os::Sent::kNotPermitted;
  }
}

Result<> ForeignTree::drop_ended() {
  std::vector<os::Pid> left;
  for (const os::Pid pid : order_) {
    const auto at = known_.find(pid);
    if (!HF_TRY(os::has_ended(at->second.pidfd))) {
      left.push_back(pid);
      continue;
    }
    if (at->second.role == Role::kMember) ++ended_;
    known_.erase(at);
  }
  order_ = std::move(left);
  return {};
}

Result<bool> ForeignTree::wait_until_ended(Duration limit) {
  const os::RealClock clock;
  const MonoTime end = clock.mono() + limit;
  for (;;) {
    HF_TRY(drop_ended());
    std::vector<const os::Handle*> handles;
    for (const auto& [pid, member] : known_) {
      if (member.role == Role::kMember) handles.push_back(&member.pidfd);
    }
    if (handles.empty()) return true;
    const Duration left = end - clock.mono();
    if (left <= Duration::zero()) return false;
    HF_TRY(os::wait_readable(handles, std::chrono::ceil<std::chrono::milliseconds>(left)));
  }
}

std::vector<ForeignTree::Living> ForeignTree::living_members() const {
  std::vector<Living> living;
  for (const os::Pid pid : order_) {
    const Member& member = known_.at(pid);
    if (member.role == Role::kGuide) continue;
    living.push_back({.pid = pid, .name = member.name, .refused = member.refused});
  }
  return living;
}

std::vector<std::string> ForeignTree::living() const {
  std::vector<std::string> names;
  for (const Living& member : living_members()) {
    names.push_back(std::to_string(os::number(member.pid)) + " (" + member.name + ")" +
                    (member.refused ? ": not permitted" : ""));
  }
  return names;
}

}  // namespace holdfast::proc
