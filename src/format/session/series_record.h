// SPDX-License-Identifier: Apache-2.0
//
// SeriesRecord: what is known of a series of iterations (`run --iterations`), as
// `sessions/<name>/series.json` keeps it.
//
// The record says what is intended and what was counted; what became of an intended iteration is
// said by the session of that name (session/record/view.h). `pending` names its run by id: as long as it
// is there, that iteration was not counted, and it is counted in the same write that takes
// `pending` away, so never twice.
//
// One JSON object with `v` and `kind`; keys that are not known are ignored on reading. A newer
// version is kCannotTell (format_version.h); anything else that is not such a record is kCorrupt,
// cause `bad-series-record`, and is never taken for "no series". At most kMaxSeriesRecordBytes.
// Bytes that are no text are kept as they are (json.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/json/due_time.h"
#include "format/session/session_record.h"

namespace holdfast {

// What the progress command said after an iteration.
enum class SeriesProgress : std::uint8_t {
  kNotAsked,
  kMoved,
  kIdle,        // the same as before
  kCannotTell,  // it failed, now or all the times before
};
inline constexpr std::size_t kSeriesProgresses = 4;
std::string_view to_text(SeriesProgress progress);  // "not-asked"

// Why a series is over, or why it stopped. The last two can be gone on with.
enum class SeriesReason : std::uint8_t {
  kReached,     // the goal
  kIterations,  // all used up
  kPlateau,     // too many idle ones in a row
  kErrors,      // too many failed ones in a row
  kDeadline,    // of the whole series
  kCannotTell,
  kInterrupted,
};
inline constexpr std::size_t kSeriesReasons = 7;
std::string_view to_text(SeriesReason reason);  // "cannot-tell"
inline bool is_over(SeriesReason reason) { return reason < SeriesReason::kCannotTell; }

// An iteration that has ended.
struct SeriesEnd {
  std::uint64_t n = 1;
  Id128 run{};
  std::optional<WallTime> began{};
  std::optional<WallTime> ended{};  // nullopt: nobody saw it end
  // Final; kLost: nobody knows how it ended, or its own record is gone.
  SessionState state = SessionState::kLost;
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  int code = 0;        // what `run` answers to it
  bool asked = false;  // somebody asked it to end: not done, and its number is run again
  SeriesProgress progress = SeriesProgress::kNotAsked;

  bool operator==(const SeriesEnd&) const = default;
};

// An iteration that is intended and was not counted yet.
struct SeriesPending {
  std::uint64_t n = 1;
  Id128 run{};
  bool begun = false;  // its supervisor was let in
  WallTime since{};

  bool operator==(const SeriesPending&) const = default;
};

struct SeriesRecord {
  static constexpr std::int64_t kVersion = 1;

  std::string name{};  // of the session
  TimeMark since{};    // when it began
  std::vector<std::string> command{};
  std::string directory{};
  std::uint64_t iterations = 1;  // how many at most
  std::uint64_t done = 0;        // that ended and were not asked to
  std::uint64_t errors = 0;      // in a row
  std::uint64_t idle = 0;        // in a row
  std::uint64_t unknown = 0;     // of all, whose end nobody saw
  std::optional<Digest> mark{};  // of the work, as it was told last
  std::optional<SeriesPending> pending{};
  std::optional<SeriesReason> over{};
  std::optional<int> code{};         // what was answered to `over`, or is to be
  bool answered = false;             // `over` was told; else the next call tells it
  std::vector<SeriesEnd> history{};  // the newest last

  bool operator==(const SeriesRecord&) const = default;
};

inline constexpr std::size_t kMaxSeriesRecordBytes = std::size_t{8} << 20U;
inline constexpr std::size_t kMaxSeriesHistory = 1000;

std::string encode_series_record(const SeriesRecord& record);
// `subject` names the file in errors.
Result<SeriesRecord> decode_series_record(std::string_view bytes, std::string_view subject);

}  // namespace holdfast
