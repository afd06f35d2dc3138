// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the number is looked up, its process ends, another one gets the number,
// and what is read next is about a stranger. So the number is pinned first, and a fact read from
// /proc counts only if the pinned process has not ended after the reading.
//
// One thing needs no comparing. If whoever has the number has ended, the one who is meant has ended
// in any case: it is this one, or it gave the number up before.
//
// The same holds for namespaces: the inode of a pid namespace is given out again only after the old
// one is gone with all its processes, so an equal inode never lets a live process look dead.
#include "proc/identity/verdict.h"

#include <algorithm>
#include <chrono>

#include "os/machine/namespaces.h"
#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "os/watch/poll.h"
#include "proc/identity/identity.h"
#include "proc/tree/process_table.h"

namespace holdfast::proc {
namespace {

LifeVerdict verdict_dead(const char* proof) { return {.life = Life::kDead, .evidence = proof}; }
LifeVerdict verdict_unknown(std::string why) {
  return {.life = Life::kUnknown, .evidence = std::move(why)};
}
LifeVerdict live() { return {.life = Life::kLive, .evidence = "running"}; }

// Inside, an error is a reason of not knowing. Its cause is the evidence.
LifeVerdict to_verdict(const Error& error) {
  return verdict_unknown(error.cause.empty() ? std::string(info(error.code).name) : error.cause);
}
Error hidden() { return {.code = ErrorCode::kCannotTell, .op = "look", .cause = "hidepid"}; }

bool is_same_boot(const Identity& one, const Identity& other) {
  return one.boot == other.boot && other.boot != Id128{};
}
bool is_initial_pidns(std::uint64_t pidns) { return pidns == os::kInitialPidNamespace; }

// Is the process that has these facts now, under the number of `identity`, the one that is meant?
Result<bool> same_start(const Identity& identity, const ProcessFacts& facts) {
  const std::uint64_t timens = HF_TRY(os::own_namespaces()).time;
  if (timens == identity.timens) return facts.start_ticks == identity.start;
  return fail({.code = ErrorCode::kCannotTell, .op = "compare", .cause = "other-time-namespace"});
}

// nullopt: the pinned process has ended meanwhile.
Result<std::optional<bool>> is_same(const Identity& identity, const os::Handle& pidfd) {
  if (identity.pidfs != 0) {
    const std::uint64_t pidfs = HF_TRY(os::pidfs_inode(pidfd));
    if (pidfs != 0) return pidfs == identity.pidfs;
  }
  HF_TRY(check_proc());
  const auto facts = read_process(identity.pid);
  if (!facts && !says_hidden(facts.error())) return fail(facts.error());
  if (HF_TRY(os::has_ended(pidfd))) return std::optional<bool>();
  if (!facts || !*facts) return fail(hidden());
  return HF_TRY(same_start(identity, **facts));
}

Result<LifeVerdict> judge_pinned(const Identity& identity, os::Handle pidfd, Duration patience) {
  if (HF_TRY(os::has_ended(pidfd))) return verdict_dead("pidfd-ended");
  const auto same = HF_TRY(is_same(identity, pidfd));
  if (!same) return verdict_dead("pidfd-ended");
  if (!*same) return verdict_dead("recycled");
  if (patience > Duration::zero()) {
    const auto limit = std::chrono::ceil<std::chrono::milliseconds>(patience);
    if (HF_TRY(os::wait_readable({&pidfd}, limit))) return verdict_dead("pidfd-ended");
  }
  LifeVerdict verdict = live();
  verdict.pidfd = std::move(pidfd);
  return verdict;
}

// One look without a pidfd. Each of its proofs stands alone, as nothing is concluded from two looks
// under one number.
Result<LifeVerdict> look_by_number(const Identity& identity) {
  HF_TRY(check_proc());
  const auto facts = read_process(identity.pid);
  if (!facts && !says_hidden(facts.error())) return fail(facts.error());
  if (!facts || !*facts) {
    // /proc may hide it (hidepid); the kernel itself is asked.
    if (HF_TRY(os::pid_in_use(identity.pid))) return fail(hidden());
    return verdict_dead("no-such-process");
  }
  // A count of 0 is a task on its way out, which may be the first thread of a process that is just
  // being exec'd by another thread: no proof.
  if ((*facts)->is_zombie() && (*facts)->threads == 1) return verdict_dead("zombie");
  if (!HF_TRY(same_start(identity, **facts))) return verdict_dead("recycled");
  return live();
}

Result<LifeVerdict> judge_by_number(const Identity& identity, Duration patience) {
  constexpr Duration kStep = std::chrono::milliseconds(1);
  const os::RealClock clock;
  const MonoTime end = clock.mono() + patience;
  for (;;) {
    LifeVerdict verdict = HF_TRY(look_by_number(identity));
    const Duration left = end - clock.mono();
    if (verdict.life != Life::kLive || left <= Duration::zero()) return verdict;
    os::pause(std::min(left, kStep));  // there is no event to wait for on such a kernel
  }
}

Result<LifeVerdict> judge_namespace(const Identity& identity) {
  if (HF_TRY(pid_namespace_is_gone(identity.pidns))) return verdict_dead("namespace-gone");
  return verdict_unknown("other-pid-namespace");
}

Result<LifeVerdict> try_judge(const Identity& identity, Duration patience) {
  const Identity own = HF_TRY(own_identity());
  if (is_same_boot(identity, own) && identity.pidns != own.pidns) return judge_namespace(identity);
  if (auto elsewhere = judge_place(identity, own)) return std::move(*elsewhere);
  if (os::number(identity.pid) <= 0) return verdict_unknown("no-pid");
  PinnedNumber pinned = HF_TRY(pin_number(identity.pid));
  if (pinned.nobody) return verdict_dead("no-such-process");
  if (!pinned.pidfd.valid()) return judge_by_number(identity, patience);
  return judge_pinned(identity, std::move(pinned.pidfd), patience);
}

}  // namespace

std::optional<LifeVerdict> judge_place(const Identity& identity, const Identity& own) {
  if (is_same_boot(identity, own)) {
    if (identity.pidns == own.pidns) return std::nullopt;
    return verdict_unknown("other-pid-namespace");
  }
  if (identity.boot == Id128{} || own.boot == Id128{} || identity.machine == Id128{} ||
      own.machine == Id128{}) {
    return verdict_unknown("other-boot-unproven");
  }
  if (identity.machine != own.machine) return verdict_unknown("other-host");
  if (!is_initial_pidns(identity.pidns) || !is_initial_pidns(own.pidns)) {
    return verdict_unknown("other-boot-unproven");
  }
  return verdict_dead("other-boot");
}

LifeVerdict judge(const Identity& identity, Duration patience) {
  auto verdict = try_judge(identity, patience);
  return verdict ? std::move(*verdict) : to_verdict(verdict.error());
}

}  // namespace holdfast::proc
