// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a step: the rules, as functions of its record and the time. Pure: nothing here
// reads, writes, waits or guesses; step_decide_test.cc has them as tables.
//
//                 kGo                       otherwise
//   once          not done; done longer     kDone
//                 ago than --ttl
//   attempt       none yet; `next` is due   kDone; kExhausted after --max failures (exit 69 is
//                                           none); kWait
//   notify        a new text; the cool-     kSuppressed; kWait while one that failed waits for its
//                 down is over; a text      next time
//                 that failed, when due
//                 (killed or told to end: it may have been sent, and counts as such)
//
// `once` whose last run has no known outcome is kGo all the same (at least once, and `repeats` says
// so), but where the caller has a verification it is kVerify: whoever asks has to ask that first,
// and to come again with what it said of that very run.
//
// A record with `pending` is not decided on: first it is settled (step_intent.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/id128.h"
#include "format/json/due_time.h"
#include "format/loop/step_record.h"
#include "format/session/session_record.h"

namespace holdfast::loop {

inline constexpr Duration kDefaultCooldown = std::chrono::hours(24);

// What the caller of a step wants.
struct StepRequest {
  StepKind kind = StepKind::kOnce;
  std::string key{};
  // once
  std::optional<Duration> ttl{};  // how long it stays done; nullopt: for good
  bool can_verify = false;
  std::optional<Id128> refuted{};  // the run of which a verification said that it did nothing
  // attempt
  std::uint64_t max = 1;
  std::vector<Duration> backoff{};  // the last one repeats; empty: no wait
  double jitter = 0;                // 0 to 1: how much of it is added
  // notify
  std::string text{};
  Digest digest{};  // of it
  Duration cooldown = kDefaultCooldown;
  bool on_change = false;
};

enum class StepAnswer : std::uint8_t { kGo, kDone, kWait, kExhausted, kSuppressed, kVerify };
std::string_view to_text(StepAnswer answer);  // "go", "done", "wait", …

struct StepDecision {
  StepAnswer answer = StepAnswer::kGo;
  std::optional<DueTime> next{};  // of kWait; of kDone with a ttl: when it is no longer done
  bool repeats = false;           // of kGo: an earlier run may have done it

  bool operator==(const StepDecision&) const = default;
};

StepDecision decide(const StepRecord& record, const StepRequest& request, const TimeMark& now);

// The wait that follows if the run that begins now fails.
Duration retry_wait(const StepRecord& record, const StepRequest& request);

// How a run ended, for the history. A record that is not final, or none, is kLost.
StepEnd end_of(const StepPending& pending, const std::optional<SessionRecord>& record);

// It exited with 0, and nobody had asked it to end.
bool has_succeeded(const StepEnd& end);

// Counts the end of the pending run, and takes `pending` away. `at`: when it ended, as well as
// that is known. One that was not tried uses up no attempt, and leaves its notice as it was.
void settle(StepRecord& record, const StepEnd& end, const TimeMark& at, bool tried = true);
// The same for a run that left no trace: nothing was started, and nothing is counted.
void settle_as_never(StepRecord& record);

// When a run ended, for who was not there: `pending.since` and how long it took, never after now.
// Where the wall clock was set meanwhile: now. One that nobody saw end: when it began.
TimeMark end_moment(const StepPending& pending, const StepEnd& end, const TimeMark& now);

// How long what the run that begins now decides will count. What was decided before counts as long
// as it did: a run with a shorter time may fail.
void note_lapse(StepRecord& record, const StepRequest& request);

// It has decided nothing for `idle`, and whoever asks next is told the same without it: a `once`
// that was never done or whose --ttl is over, a `notify` whose cool-downs are over. Never an
// `attempt`, and never what is under way, unsure, or not sent yet.
bool has_lapsed(const StepRecord& record, Duration idle, const TimeMark& now);

}  // namespace holdfast::loop
