// SPDX-License-Identifier: Apache-2.0
//
// Wall times in records and JSON: RFC 3339, UTC, milliseconds: `2026-11-15T07:46:00.123Z`.
//
// One spelling only, so that text order is time order. Finer digits are cut off. Years 1970 to
// 2261; an earlier or later time (a machine with a broken clock) is clamped to the ends, never
// printed in another shape. parse_rfc3339 accepts exactly what format_rfc3339 writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace holdfast {

std::string format_rfc3339(WallTime time);
// The same for the name of a file, without `-` and `:`, which some file systems do not take:
// `20261115T074600.123Z`.
std::string compact_rfc3339(WallTime time);
std::optional<WallTime> parse_rfc3339(std::string_view text);

}  // namespace holdfast
