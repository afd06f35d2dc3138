// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series_decide.h"

#include "base/exit_code.h"

namespace holdfast::loop {
namespace {

// Of the last one that was done; 0 only where it exited with 0.
int code_of_last(const SeriesRecord& record) {
  for (auto end = record.history.rbegin(); end != record.history.rend(); ++end) {
    if (end->asked) continue;
    if (!has_failed(*end)) return to_int(ExitCode::kDone);
    return end->code != 0 ? end->code : to_int(ExitCode::kCannotTell);
  }
  return to_int(ExitCode::kCannotTell);
}

}  // namespace

std::optional<SeriesReason> decide_series(const SeriesRecord& record, const SeriesLimits& limits,
                                          Goal goal) {
  if (goal == Goal::kReached) return SeriesReason::kReached;
  if (goal == Goal::kCannotTell) return SeriesReason::kCannotTell;
  if (record.errors >= limits.max_errors) return SeriesReason::kErrors;
  if (record.idle >= limits.max_idle) return SeriesReason::kPlateau;
  if (record.done >= limits.iterations) return SeriesReason::kIterations;
  return std::nullopt;
}

bool has_failed(const SeriesEnd& end) {
  if (end.asked) return false;
  return end.state != SessionState::kExited || end.exit_code != 0 || end.code != 0;
}

void count_iteration(SeriesRecord& record, const SeriesEnd& end) {
  record.history.push_back(end);
  if (record.history.size() > kMaxSeriesHistory) record.history.erase(record.history.begin());
  record.pending.reset();
  if (end.asked) return;
  ++record.done;
  if (end.state == SessionState::kLost) ++record.unknown;
  record.errors = has_failed(end) ? record.errors + 1 : 0;
  if (end.progress == SeriesProgress::kIdle) ++record.idle;
  if (end.progress == SeriesProgress::kMoved) record.idle = 0;
}

SeriesProgress compare_marks(const std::optional<Digest>& before,
                             const std::optional<Digest>& after) {
  if (!before || !after) return SeriesProgress::kCannotTell;
  return *before == *after ? SeriesProgress::kIdle : SeriesProgress::kMoved;
}

int series_code(SeriesReason reason, const SeriesRecord& record, bool has_goal) {
  switch (reason) {
    case SeriesReason::kReached:
      return to_int(ExitCode::kDone);
    case SeriesReason::kIterations:
    case SeriesReason::kPlateau:
      return has_goal ? to_int(ExitCode::kUnproven) : code_of_last(record);
    case SeriesReason::kDeadline:
      return to_int(ExitCode::kDeadline);
    case SeriesReason::kErrors:
      return code_of_last(record);
    case SeriesReason::kCannotTell:
    case SeriesReason::kInterrupted:
      break;
  }
  return to_int(ExitCode::kCannotTell);
}

bool is_code_of_iteration(SeriesReason reason, int code) {
  switch (reason) {
    case SeriesReason::kErrors:
    case SeriesReason::kInterrupted:
      return true;
    case SeriesReason::kIterations:
    case SeriesReason::kPlateau:
      return code != 0 && code != to_int(ExitCode::kUnproven);
    case SeriesReason::kReached:
    case SeriesReason::kDeadline:
    case SeriesReason::kCannotTell:
      break;
  }
  return false;
}

}  // namespace holdfast::loop
