// SPDX-License-Identifier: Apache-2.0
//
// The one table from how a run ended to the exit code that says so. `run` and `lock`, which saw the
// end, `wait`, which reads the record, iterations, steps and loops all take their code from here.
// Pure.
//
//   state        reason                     code
//   any          survivors                  72: "124" or "0" would read as "it is over"
//   failed       not-found, not-executable  127, 126
//                stopped, owner-gone        75: it was to end before it had begun
//                skipped                    0: a lock was busy, and --if-busy skip was asked for
//                an error's                 its code: what somebody can act on, such as 75 `busy`
//                any other                  125: holdfast's own troubles
//   timed_out                               124, whatever the command did then
//   unverified                              76
//   exited       an error's                 its code: holdfast failed beside the command
//                any other                  the command's own code; 76 if a lock was lost meanwhile
//   killed       the same                   128 + the signal; 76 if a lock was lost meanwhile
//   lost         the same                   69: nobody knows
//
// `exited` and `killed` without a code or a signal are 69: how it ended is not known. The reason of
// an error is the name of its exit code (base/exit_code.h): `busy`, `refused`, `io`, …
//
// Success and failure, for --on-success, --on-failure and the streak, the first row that holds:
//
//   success_of     is said of
//   failure        whoever is still there: survivors, or a run that is not over
//   stopped        exited, failed, killed, lost, if somebody asked it to end (rule P7) and no
//                  verification confirmed it: neither a success nor a failure
//   success        code 0
//   failure        everything else: another code, its deadline, a start that failed (a busy --lock
//                  too), not verified, lost
//
// The one answer that is not in it: a caller that was itself asked to end before its command had
// begun exits with 128 + the signal (run/session/start.h).
#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/exit_code.h"
#include "format/session/session_record.h"

namespace holdfast {

// Why a run came to its state: the words that holdfast writes and compares, besides the reasons of
// errors.
namespace reason {
inline constexpr std::string_view kAdopted = "adopted";
inline constexpr std::string_view kBudget = "budget";
inline constexpr std::string_view kDeadline = "deadline";
inline constexpr std::string_view kExited = "exited";
inline constexpr std::string_view kFault = "fault";
inline constexpr std::string_view kIdle = "idle";
inline constexpr std::string_view kInterrupted = "interrupted";
inline constexpr std::string_view kLost = "lost";
inline constexpr std::string_view kNoStatus = "no-status";
inline constexpr std::string_view kNotExecutable = "not-executable";
inline constexpr std::string_view kNotFound = "not-found";
inline constexpr std::string_view kNotStarted = "not-started";
inline constexpr std::string_view kOutOfMemory = "oom";
inline constexpr std::string_view kOwnerGone = "owner-gone";
inline constexpr std::string_view kRefuted = "refuted";
inline constexpr std::string_view kSignal = "signal";
inline constexpr std::string_view kSkipped = "skipped";
inline constexpr std::string_view kStopped = "stopped";
inline constexpr std::string_view kSurvivors = "survivors";
inline constexpr std::string_view kUnproven = "unproven";
inline constexpr std::string_view kUnverified = "unverified";
}  // namespace reason

// Everything that the code depends on.
struct Ended {
  SessionState state = SessionState::kLost;
  std::string_view reason{};
  std::optional<int> exit_code{};  // the command's own
  std::optional<int> signal{};     // that the command died of
  bool lock_lost = false;          // the lock that it ran under went to another meanwhile
};

struct Outcome {
  int code = 0;
  bool by_command = false;  // it is the command's own word
};

// nullopt: it is not over.
std::optional<Outcome> outcome_of(const Ended& ended);
// `state` is what is true now (session/record/view.h), which may be later than the record.
std::optional<Outcome> outcome_of(SessionState state, const SessionRecord& record);

enum class Success : std::uint8_t { kSuccess, kFailure, kStopped };
Success success_of(const SessionRecord& record);

// How many runs of the name failed in a row behind this one, and what was told of it. A run that
// was stopped changes nothing.
SessionStreak streak_after(const SessionRecord& record);
// With --once-per-streak: is it the first failure that is told, or the first success after one?
bool is_news(const SessionRecord& record);

// The reason of a run that could not be started for an error of holdfast's.
std::string_view reason_not_started(ErrorCode code);
// The reason of a run that ended while holdfast itself failed.
std::string_view reason_of_fault(ErrorCode code);

// The code of a wrapper whose command did not run: 70, 71 and 74 could be the command's own, and
// are 125.
ExitCode code_before_start(ErrorCode code);

}  // namespace holdfast
