// SPDX-License-Identifier: Apache-2.0
//
// OrphanEnd: ends everybody in the control group of an orphan: a signal, a grace, KILL.
//
//   OrphanEnd end(group, clock);
//   HF_TRY(end.begin(signal, grace, patience));
//   while (HF_TRY(end.step()) == OrphanEnd::Step::kGoing) wait for group.changes(), or end.due()
//
// Guarantee: kEmpty is the kernel's `populated 0`. Nobody outside the group is signalled. It never
// waits by itself, so that many can be ended at once.
//
// Limit: who is forked during the grace does not get the first signal, and gets KILL behind it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "proc/kill/kill.h"
#include "proc/tree/cgroup.h"

namespace holdfast::run {

class OrphanEnd {
 public:
  // Both must outlive it.
  OrphanEnd(const proc::CgroupTree& group, const Clock& clock) : group_(group), clock_(clock) {}

  // `patience`: for the end behind KILL.
  Result<> begin(int signal, Duration grace, Duration patience);

  // Somebody asks again: the grace may become shorter, never longer.
  void hurry(Duration grace);

  enum class Step : std::uint8_t {
    kGoing,
    kEmpty,
    kSurvivors,  // behind KILL and the patience somebody is left
  };
  Result<Step> step();
  // At the latest then, step() again.
  [[nodiscard]] MonoTime due() const { return due_; }

  // Who is in the group now, as far as one can see.
  [[nodiscard]] std::vector<proc::Survivor> members() const;

 private:
  const proc::CgroupTree& group_;
  const Clock& clock_;
  bool killing_ = false;
  MonoTime due_{};
  Duration patience_{};
  MonoTime give_up_{};
  Duration pause_ = std::chrono::milliseconds(1);  // between two blows
};

}  // namespace holdfast::run
