// SPDX-License-Identifier: Apache-2.0
//
// Questions about a ledger: is there an entry like this, and how old is it?
//
// A condition is `PATH=VALUE` or `PATH!=VALUE`. A path is keys behind dots (`holder.pid`,
// `argv.0`); a key that contains a dot cannot be reached. Values compare as texts (json_span.h):
// `n=5` holds for 5 and for "5", not for 5.0. `!=` also holds where there is no such field; `=`
// does not.
//
// "The newest" is the last in the order of the file: clocks step, files do not. An age is asked of
// the time in the entry, and a time can be wrong. With `within`, the answer is
//   kFound        an entry that matches is not older than that (of several the newest)
//   kNotFound     all that match are older, or none matches
//   kCannotTell   neither: one that matches has no time that can be read, or one in the future,
//                 which could have been written at any moment
// An honest entry that matches decides for yes, whatever stands beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/file/ledger_text.h"

namespace holdfast {

// The time in an entry of a ledger, ours or another tool's.
//
//   "2026-11-15T07:46:00.123Z"      RFC 3339 text: any offset, any fraction (cut to nanoseconds)
//   "2026-11-15 09:46:00+02:00"
//   1794728760, 1794728760.5        Unix seconds, 0 or more
//   1794728760123                   milliseconds, where it is more than 1e11
//
// Nothing for everything else: a text without an offset (nobody can tell whose clock), a date
// alone, a year outside 1970 to 2261, a negative number, microseconds.

// `value` is a JSON value as it stands in the entry.
std::optional<WallTime> parse_ledger_time(std::string_view value);

// A time this far ahead is a wrong one; less may be two clocks that differ.
inline constexpr Duration kLedgerClockSlack = std::chrono::minutes(1);
inline bool is_future(WallTime time, WallTime now) { return time - now > kLedgerClockSlack; }

// Errors: kUsage, cause `bad-path`.
Result<std::vector<std::string>> parse_ledger_path(std::string_view text);

struct LedgerWhere {
  std::vector<std::string> path;
  bool equal = true;
  std::string value;
};
// The first `=` decides, so a value may contain more of them. Errors: kUsage, cause `bad-where`.
Result<LedgerWhere> parse_ledger_where(std::string_view text);

enum class EntryTime : std::uint8_t { kKnown, kMissing, kUnreadable, kFuture };

struct TimedEntry {
  std::size_t number = 0;  // its place in the ledger, from 0
  EntryTime state = EntryTime::kMissing;
  std::optional<WallTime> time;
  Duration age{};  // 0 for a time ahead of ours
};

TimedEntry timed_entry(const LedgerText& ledger, std::size_t number,
                       const std::vector<std::string>& time_field, WallTime now);

struct LedgerQuestion {
  std::vector<LedgerWhere> where{};
  std::vector<std::string> time_field{"time"};
  std::optional<Duration> within{};
  WallTime now{};
};

struct LedgerAnswer {
  enum class Verdict : std::uint8_t { kFound, kNotFound, kCannotTell };
  Verdict verdict = Verdict::kNotFound;
  // The entry that was found; for kCannotTell the newest whose time is the reason.
  std::optional<TimedEntry> entry{};
};

LedgerAnswer last_in_ledger(const LedgerText& ledger, const LedgerQuestion& question);

}  // namespace holdfast
