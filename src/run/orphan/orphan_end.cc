// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/orphan_end.h"

#include <algorithm>

#include "os/signal/signals.h"
#include "proc/tree/process_table.h"

namespace holdfast::run {
namespace {

constexpr Duration kLongestPause = std::chrono::milliseconds(100);

}  // namespace

Result<> OrphanEnd::begin(int signal, Duration grace, Duration patience) {
  patience_ = patience;
  due_ = clock_.mono() + grace;
  if (signal == os::kSignalKill) {
    due_ = clock_.mono();
    return {};
  }
  // A stopped process acts on the signal only when it goes on.
  HF_TRY(group_.signal_members({signal, os::continue_signal()}, [](os::Pid) { return true; }));
  return {};
}

void OrphanEnd::hurry(Duration grace) {
  if (!killing_) due_ = std::min(due_, clock_.mono() + grace);
}

Result<OrphanEnd::Step> OrphanEnd::step() {
  if (!HF_TRY(group_.populated())) return Step::kEmpty;
  const MonoTime now = clock_.mono();
  if (now < due_) return Step::kGoing;
  if (!killing_) {
    killing_ = true;
    give_up_ = now + patience_;
  } else if (now >= give_up_) {
    return Step::kSurvivors;
  }
  HF_TRY(group_.kill());
  due_ = std::min(now + pause_, give_up_);
  pause_ = std::min(pause_ * 2, kLongestPause);
  return Step::kGoing;
}

std::vector<proc::Survivor> OrphanEnd::members() const {
  std::vector<proc::Survivor> all;
  const auto members = group_.members();
  if (!members) return all;
  for (const os::Pid pid : members->pids) {
    const auto facts = proc::read_process(pid);
    all.push_back({.pid = os::number(pid),
                   .name = facts && *facts ? (*facts)->name : std::string(),
                   .why = {}});
  }
  return all;
}

}  // namespace holdfast::run
