// SPDX-License-Identifier: Apache-2.0
//
// Durations and sizes as people type and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast {

// A duration: one or more of NUMBER UNIT with units `ms s m h d` in falling order (`1h30m`), or a bare
// NUMBER, which is seconds. A number may have decimals (`0.2`, `1.5h`); digits below a nanosecond
// are refused rather than rounded, so that no wait is shorter than what was typed. No sign, no
// spaces, no exponent; what does not fit into 292 years is refused.
//
// `forever` is not a duration: commands that allow it take it as a word of its own.
Result<Duration> parse_duration(std::string_view text);

// For people: `0s`, `250ms`, `1.5s`, `2m5s`, `1h30m`, `7d`. At most two units (below a minute,
// three decimals of a second), cut off, not rounded up: a remaining time is never shown as more
// than it is.
std::string format_duration(Duration duration);

// A size: `4096`, `64KiB`, `10M`, `1.5GiB`, `2GB`.
//
// `K M G T` and `KiB MiB GiB TiB` are powers of 1024; `kB MB GB TB` are powers of 1000. A bare
// number is bytes. Decimals must come out at a whole byte. Upper and lower case mean the same. What
// does not fit into 63 bits is refused.
Result<std::uint64_t> parse_size(std::string_view text);

// For people, in powers of 1024 with one decimal, cut off: `0B`, `512B`, `1.5KiB`, `64MiB`.
std::string format_size(std::uint64_t bytes);

}  // namespace holdfast
