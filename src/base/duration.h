// SPDX-License-Identifier: Apache-2.0
//
// Durations as people type and read them.
//
// Grammar: one or more of NUMBER UNIT with units `ms s m h d` in falling order (`1h30m`), or a bare
// NUMBER, which is seconds. A number may have decimals (`0.2`, `1.5h`); digits below a nanosecond
// are refused rather than rounded, so that no wait is shorter than what was typed. No sign, no
// spaces, no exponent; what does not fit into 292 years is refused.
//
// `forever` is not a duration: commands that allow it take it as a word of its own.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast {

Result<Duration> parse_duration(std::string_view text);

// For people: `0s`, `250ms`, `1.5s`, `2m5s`, `1h30m`, `7d`. At most two units (below a minute,
// three decimals of a second), cut off, not rounded up: a remaining time is never shown as more
// than it is.
std::string format_duration(Duration duration);

}  // namespace holdfast
