// SPDX-License-Identifier: Apache-2.0
//
// A moment as people type it, for `--since` and `--until`:
//
//   30d, 1h30m, 90               a duration back from now (base/units.h)
//   2026-11-01                   the start of that day, UTC
//   2026-11-01T07:00Z            RFC 3339; seconds and their fraction may be left out, a blank may
//   stand 2026-11-01 09:00:00+02:00    for the T
//
// A time of day without `Z` or an offset is refused: nobody could tell whose clock is meant.
#pragma once

#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::cli {

// `option` is for the message. Errors: kUsage, cause `bad-value`.
Result<WallTime> parse_moment(std::string_view option, std::string_view text, WallTime now);

}  // namespace holdfast::cli
