// SPDX-License-Identifier: Apache-2.0
//
// A moment as people type it, for `--since`, `--until` and the like:
//
//   30d, 1h30m, 90               a duration back from now (base/units.h)
//   now, today, yesterday        the start of that day
//   2026-11-01                   the same
//   2026-11-01 14:00             a time of day; seconds and their fraction may be added
//   2026-11-01T07:00Z            RFC 3339, with a zone of its own; a blank may stand for the T
//
// Without `Z` or an offset a day or a time is one of the local time zone (os/machine/local_time.h).
#pragma once

#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::cli {

// `option` is for the message. Errors: kUsage, cause `bad-value`.
Result<WallTime> parse_moment(std::string_view option, std::string_view text, WallTime now);

}  // namespace holdfast::cli
