// SPDX-License-Identifier: Apache-2.0
//
// kill_process: ends the process that an identity means, or its tree, and nobody else.
//
//   const auto report = HF_TRY(kill_process(identity, {.grace = 10s}, sink));
//
// Guarantee: no process is signalled but the one that is meant (and, with `tree`, those below it or
// with its run id), whatever numbers are recycled meanwhile: the process is pinned by a pidfd, the
// pinned one is compared with the identity, and signals go through the pin. There is no signal by
// number here. Never signalled: process 1, the caller, whoever is above the caller, kernel threads;
// a tree with one of them in it is left alone as a whole.
//
// Sequence: judge, refuse, put the decision on record (`process.killed`, durable), signal, see what
// became of it, put that on record. Where the decision cannot be recorded, nothing is signalled and
// the answer is that Error. What comes after it cannot stop the kill any more: a failing call then
// makes the answer kUnproven, and an event that cannot be written stands in `unrecorded`.
//
// Default: TERM and CONT (a stopped process acts on TERM only then), `grace`, KILL, `wait`. With
// `signal`, that signal once and nothing else; without `wait` nobody looks what becomes of it, but
// for KILL, which is always waited for.
//
// Limits: a foreign tree has no proof of being empty (proc/tree/foreign_tree.h), and neither has the
// scan for the run id. So with `tree` the best answer is kUnproven with what was seen, unless a
// TreeKiller gives a proof. Without pidfds nothing can be signalled safely: kUnproven, `no-pidfd`.
// Windows: TERM and KILL are both the end at once (os/process/pidfd.h); CONT has no meaning; run ids cannot
// be looked for, and all processes count as unread then.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/event.h"
#include "base/id128.h"
#include "base/result.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::proc {

inline constexpr Duration kKillGrace = std::chrono::seconds(10);
// A killed process is gone in a moment, unless the kernel itself is stuck in it.
inline constexpr Duration kKillPatience = std::chrono::seconds(10);

enum class KillOutcome : std::uint8_t {
  kKilled,        // it has ended; of a tree: the kernel says that nobody is left
  kSignalled,     // the one signal that was asked for was sent; nobody waited
  kGone,          // it had ended before
  kMismatch,      // its number is another process now; nothing was signalled
  kRefused,       // it is one that is never signalled; nothing was
  kNotPermitted,  // the kernel does not let this user signal it
  kSurvivors,     // somebody is left, and named
  kUnproven,      // before the act: it cannot be proven to be the one that is meant, nothing was
                  // signalled; after it: what was seen has ended, and nothing proves that it is all
};
std::string_view to_text(KillOutcome outcome);  // "not_permitted"

// Whoever can end a whole tree and have the kernel's word that it is empty: the cgroup of a
// session, which its record names.
class TreeKiller {
 public:
  virtual ~TreeKiller() = default;
  // KILL to everybody in it.
  virtual Result<> kill_all() = 0;
  // Waits up to `limit`. True: nobody is left (`populated 0`).
  virtual Result<bool> proven_empty(Duration limit) = 0;
};

struct KillOrder {
  bool tree = false;
  std::optional<int> signal{};     // this one only
  int first_signal = 15;           // in the place of TERM
  Duration grace = kKillGrace;     // from TERM to KILL
  std::optional<Duration> wait{};  // for the end, behind the last signal
  std::optional<Id128> run{};      // with `tree`: orphans that carry it belong to the tree
  TreeKiller* group = nullptr;     // with `tree`
};

struct Survivor {
  std::int32_t pid = 0;
  std::string name{};  // for people
  std::string why{};   // "not permitted"; empty: it does not end
};

struct KillReport {
  KillOutcome outcome = KillOutcome::kUnproven;
  // A stable word: of proc/identity/verdict.h where nothing was signalled for that; else `process-1`,
  // `caller`, `ancestor`, `kernel-thread`, `caller-in-tree`, `other-run`, `not-permitted`,
  // `no-pidfd`, `leader-gone`, `no-cgroup` (a tree without proof), `cgroup-empty`, `pidfd-ended`,
  // `sent`, `not-ended`, or the cause of the call that failed.
  std::string evidence{};
  bool acted = false;       // somebody was signalled
  std::string name{};       // of the process, for people; empty where it was not seen
  std::uint32_t ended = 0;  // how many processes were seen to end
  std::size_t unread = 0;   // of a tree: processes whose environment could not be looked at
  std::vector<Survivor> survivors{};
  std::optional<Error> unrecorded{};  // the outcome is not on record
};

Result<KillReport> kill_process(const Identity& identity, const KillOrder& order, EventSink& sink);
// For who has judged already; `verdict` is of this identity.
Result<KillReport> kill_judged(const Identity& identity, LifeVerdict verdict,
                               const KillOrder& order, EventSink& sink);

// What a kill puts on record: the decision before it acts, and what became of it (kill_events.cc).

// `process.killed`, a decision: on stable storage when it returns. An Error: do not act. Of
// `report`, its name and evidence.
Result<> record_decision(const Identity& identity, const KillOrder& order, const KillReport& report,
                         EventSink& sink);

// `process.kill_refused`, `process.survivors` or `process.unproven`; nothing after a success. A
// failure goes into `report`.
void record_outcome(const Identity& identity, const KillOrder& order, KillReport& report,
                    EventSink& sink);

}  // namespace holdfast::proc
