// SPDX-License-Identifier: Apache-2.0
//
// The time in an entry of a ledger, ours or another tool's.
//
//   "2026-11-15T07:46:00.123Z"      RFC 3339 text: any offset, any fraction (cut to nanoseconds)
//   "2026-11-15 09:46:00+02:00"
//   1794728760, 1794728760.5        Unix seconds, 0 or more
//   1794728760123                   milliseconds, where it is more than 1e11
//
// Nothing for everything else: a text without an offset (nobody can tell whose clock), a date
// alone, a year outside 1970 to 2261, a negative number, microseconds.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace holdfast {

// `value` is a JSON value as it stands in the entry.
std::optional<WallTime> parse_ledger_time(std::string_view value);

// A time this far ahead is a wrong one; less may be two clocks that differ.
inline constexpr Duration kLedgerClockSlack = std::chrono::minutes(1);
inline bool is_future(WallTime time, WallTime now) { return time - now > kLedgerClockSlack; }

}  // namespace holdfast
