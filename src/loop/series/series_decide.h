// SPDX-License-Identifier: Apache-2.0
//
// What follows from the record of a series: another iteration, or its end. Pure.
//
// In this order, the first that holds:
//   the goal is reached                     kReached      0
//   whether it is cannot be told            kCannotTell   69; nothing more is started on it
//   too many iterations failed in a row     kErrors       the code of the last failed one
//   too many were idle in a row             kPlateau      the last one's; 76 where there is a goal
//   all are used up                         kIterations   the last one's; 76 where there is a goal
//
// An iteration fails if it did anything but exit with 0. One that somebody asked to end (a signal,
// `stop`) is neither a failure nor a success, and not done: its number is run again. A progress
// that cannot be told neither adds to the idle ones nor ends their row.
#pragma once

#include <cstdint>
#include <optional>

#include "format/session/series_record.h"

namespace holdfast::loop {

enum class Goal : std::uint8_t { kNone, kReached, kNotYet, kCannotTell };

struct SeriesLimits {
  std::uint64_t iterations = 1;
  std::uint64_t max_errors = 3;
  std::uint64_t max_idle = 3;
};

// nullopt: another iteration.
std::optional<SeriesReason> decide_series(const SeriesRecord& record, const SeriesLimits& limits,
                                          Goal goal);

bool has_failed(const SeriesEnd& end);

// Into the totals and the history; the intent goes. One that was asked to end is only in the
// history.
void count_iteration(SeriesRecord& record, const SeriesEnd& end);

// What the mark of the work says after an iteration; nullopt: the command could not tell.
SeriesProgress compare_marks(const std::optional<Digest>& before,
                             const std::optional<Digest>& after);

// The exit code of a series that ended so. Of kInterrupted the iteration's own says it.
int series_code(SeriesReason reason, const SeriesRecord& record, bool has_goal);

// Whether that code is the last iteration's rather than holdfast's own.
bool is_code_of_iteration(SeriesReason reason, int code);

}  // namespace holdfast::loop
