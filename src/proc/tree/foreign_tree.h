// SPDX-License-Identifier: Apache-2.0
//
// ForeignTree: the processes below one that is not ours, found, held and signalled through pidfds.
//
//   ForeignTree tree;
//   tree.add(number, std::move(pidfd));   // a process that judge() called live
//   HF_TRY(tree.grow());                  // until it finds nobody new
//   tree.signal(os::kSignalTerm);
//   HF_TRY(tree.wait_until_ended(grace));
//   … grow, signal and wait again until nobody lives and nobody new is found
//
// Guarantee: nobody but the processes that were added and their descendants is ever signalled,
// whatever numbers are recycled; foreign_tree.cc has the argument. The caller itself is never.
//
// Limit: unlike one's own tree (proc/tree/tree.h) a foreign one has no proof of being empty. A process
// whose parent ended before it was seen, with no subreaper in the tree, is not found. So the
// topmost (a wrapper, which is a subreaper) is added as a guide, and ended last.
//
// Errors: /proc cannot be read at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/sys/handle.h"
#include "proc/identity/process_facts.h"

namespace holdfast::proc {

class ForeignTree {
 public:
  enum class Role : std::uint8_t {
    kMember,
    kGuide,  // its children are members; it is not signalled and not waited for
  };
  // `pidfd` was opened before the process was proven to be the one that is meant.
  void add(os::Pid pid, os::Handle pidfd, Role role = Role::kMember);

  // One look: members' children that were not known become members. Returns how many.
  Result<std::size_t> grow();
  // To every living member; parents, which were found first, before their children.
  void signal(int number);
  // True: no known member lives. A member that has ended stays counted.
  Result<bool> wait_until_ended(Duration limit);

  [[nodiscard]] bool holds_caller() const { return holds_caller_; }
  [[nodiscard]] std::uint32_t ended() const { return ended_; }
  [[nodiscard]] bool holds(os::Pid pid) const { return known_.contains(pid); }
  // "1234 (name)", with a word where a signal was not permitted.
  [[nodiscard]] std::vector<std::string> living() const;
  // The same as facts: every member that has not been seen to end.
  struct Living {
    os::Pid pid{};
    std::string name{};
    bool refused = false;  // the last signal was not permitted
  };
  [[nodiscard]] std::vector<Living> living_members() const;

 private:
  struct Member {
    os::Handle pidfd;
    std::string name;
    Role role = Role::kMember;
    bool refused = false;
  };

  [[nodiscard]] bool is_child(os::Pid pid, const os::Handle& pin, os::Pid parent,
                              const os::Handle& parent_pin) const;
  Result<> drop_ended();

  std::map<os::Pid, Member> known_;
  std::vector<os::Pid> order_;  // as they were found
  std::uint32_t ended_ = 0;
  bool holds_caller_ = false;
};

}  // namespace holdfast::proc
