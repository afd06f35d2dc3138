// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving of a kill: the record names process 4711; it ends; 4711 is a stranger's
// now. So the number is pinned, the pinned process is compared with the recorded identity, and the
// signal goes through the pin (proc/identity/verdict.h, proc/tree/foreign_tree.h).
//
// The wrapper is the last to go: while it is there, also stopped, the orphans of its tree become
// its children and are found. Were it killed first, a daemon in the making would slip away.
#include "lock/grant/force.h"

#include <algorithm>

#include "base/budget.h"
#include "file/replace/commit_lock.h"
#include "lock/grant/identity.h"
#include "os/file/staged_file.h"
#include "os/lock/byte_lock.h"
#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "os/signal/signals.h"
#include "os/watch/poll.h"
#include "proc/identity/verdict.h"
#include "proc/tree/foreign_tree.h"

namespace holdfast::lock {
namespace {

constexpr Duration kDirectoryPatience = std::chrono::seconds(10);
// A killed process is gone in a moment, unless the kernel itself is stuck in it.
constexpr Duration kKillPatience = std::chrono::seconds(5);
// What it takes in any case: with a budget that is used up, too, the end is looked for.
constexpr Duration kShortestKillPatience = std::chrono::milliseconds(100);
constexpr Duration kWrapperGrace = std::chrono::milliseconds(500);
constexpr Duration kKillRound = std::chrono::milliseconds(100);
constexpr std::uint32_t kPermissions = 0777;

std::string named(const ProcessIdentity& process, std::string_view why) {
  return std::to_string(process.pid) + " (" + std::string(why) + ")";
}

Duration kill_patience() {
  return std::max(within_whole_budget(kKillPatience, os::RealClock().mono()),
                  kShortestKillPatience);
}

// TERM, `grace`, KILL, `patience`. True: it has ended.
Result<bool> end_pinned(const os::Handle& pidfd, Duration grace, Duration patience) {
  for (const auto& [signal, limit] :
       {std::pair(os::kSignalTerm, grace), std::pair(os::kSignalKill, patience)}) {
    HF_TRY(os::signal_pidfd(pidfd, signal));
    const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(limit);
    if (HF_TRY(os::wait_readable({&pidfd}, rounded))) return true;
  }
  return false;
}

// Finds everybody, asks them to end, waits, and makes them.
Result<> end_tree(proc::ForeignTree& tree, Duration grace) {
  tree.signal(os::kSignalTerm);
  tree.signal(os::continue_signal());
  HF_TRY(tree.wait_until_ended(grace));
  const os::RealClock clock;
  const MonoTime end = clock.mono() + kill_patience();
  for (;;) {
    const std::size_t found = HF_TRY(tree.grow());
    if (found == 0 && HF_TRY(tree.wait_until_ended(Duration::zero()))) return {};
    if (clock.mono() >= end) return {};
    tree.signal(os::kSignalKill);
    HF_TRY(tree.wait_until_ended(kKillRound));
  }
}

}  // namespace

Result<bool> end_keeper(const LockRecord& record, Duration patience) {
  const proc::LifeVerdict verdict = proc::judge(from_record(record.keeper));
  if (verdict.life == proc::Life::kDead) return true;
  if (verdict.life == proc::Life::kUnknown || !verdict.pidfd.valid()) return false;
  if (record.keeper.pid == os::number(os::own_pid())) return false;
  HF_TRY(os::signal_pidfd(verdict.pidfd, os::kSignalKill));
  return os::wait_readable({&verdict.pidfd},
                           std::chrono::ceil<std::chrono::milliseconds>(patience));
}

Result<KillOutcome> kill_holder(const LockRecord& record, Duration grace) {
  KillOutcome outcome;
  proc::LifeVerdict work = proc::judge(from_record(record.work));
  proc::LifeVerdict wrapper = proc::judge(from_record(record.keeper));
  for (const auto& [verdict, process] :
       {std::pair(&work, &record.work), std::pair(&wrapper, &record.keeper)}) {
    const bool out_of_reach = verdict->life == proc::Life::kUnknown ||
                              (verdict->life == proc::Life::kLive && !verdict->pidfd.valid());
    if (!out_of_reach) continue;
    const bool known = verdict->life == proc::Life::kLive;
    outcome.survivors.push_back(named(*process, known ? "no-pidfd" : verdict->evidence));
  }
  if (!outcome.survivors.empty()) return outcome;

  proc::ForeignTree tree;
  os::Handle wrapper_pin;
  if (wrapper.life == proc::Life::kLive) {
    // Judged once more for a descriptor of its own: the tree keeps the first.
    wrapper_pin = std::move(proc::judge(from_record(record.keeper)).pidfd);
    tree.add(os::Pid{record.keeper.pid}, std::move(wrapper.pidfd), proc::ForeignTree::Role::kGuide);
  }
  if (work.life == proc::Life::kLive) tree.add(os::Pid{record.work.pid}, std::move(work.pidfd));
  while (HF_TRY(tree.grow()) != 0) {
  }
  if (tree.holds_caller()) {
    outcome.survivors.push_back(std::to_string(os::number(os::own_pid())) +
                                " (the caller itself runs below the holder)");
    return outcome;
  }
  HF_TRY(end_tree(tree, grace));
  outcome.killed = tree.ended();
  outcome.survivors = tree.living();
  if (!outcome.survivors.empty() || !wrapper_pin.valid()) return outcome;
  // Without its work a wrapper ends by itself, unless it is stopped.
  // Half of what a budget leaves is for the command that the lock is wanted for.
  const auto left = within_budget(std::nullopt, os::RealClock().mono()).time;
  const Duration wrapper_grace = left ? std::min(kWrapperGrace, *left / 2) : kWrapperGrace;
  if (HF_TRY(end_pinned(wrapper_pin, wrapper_grace, kill_patience()))) {
    ++outcome.killed;
  } else {
    outcome.survivors.push_back(named(record.keeper, "the wrapper"));
  }
  return outcome;
}

// Under both locks the record and the name are what the caller saw: two that replace at once do not
// replace each other's, and a lock that came into other hands meanwhile is left alone.
Result<std::optional<Guard>> replace_sidecar(Seat& seat, std::uint64_t seen_seq) {
  const std::uint32_t mode = HF_TRY(seat.sidecar->info()).mode & kPermissions;
  const auto commit = HF_TRY(file::CommitLock::take(*seat.place.dir, kDirectoryPatience));
  auto staged = HF_TRY(os::StagedFile::create(*seat.place.dir, mode));
  const os::FileId id = HF_TRY(staged.file().info()).id;
  if (!HF_TRY(os::try_flock(staged.file(), os::Share::kExclusive))) return std::nullopt;
  const os::SafeName stage = HF_TRY(staged.take_stage_name());
  Guard guard = HF_TRY(seat.ledger->guard());
  const NewestRecord now = HF_TRY(seat.ledger->read(guard));
  if (now.record.seq != seen_seq || !HF_TRY(seat.is_named())) return std::nullopt;
  const os::Placed placed = HF_TRY(seat.place.dir->take_name(stage, *seat.place.sidecar));
  if (placed == os::Placed::kNameTaken) return std::nullopt;
  staged.forget_name();
  seat.sidecar.emplace(std::move(staged.file()));
  seat.sidecar_id = id;
  return guard;
}

}  // namespace holdfast::lock
