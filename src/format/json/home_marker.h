// SPDX-License-Identifier: Apache-2.0
//
// The codec of `HOME/format`, the file that makes a directory a holdfast home:
//
//   {"v":1,"kind":"holdfast-home","created":"2026-11-15T07:46:00.123Z"}\n
//
// Pure bytes ↔ struct. Unknown further keys are allowed (fields are added, never renamed); anything
// that is not one JSON object of this kind is kCorrupt; a newer version is kCannotTell
// (format_version.h).
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast {

struct HomeMarker {
  static constexpr std::int64_t kVersion = 1;

  WallTime created{};
};

inline constexpr std::size_t kMaxHomeMarkerBytes = 4096;

std::string encode_home_marker(const HomeMarker& marker);
// `subject` names the file in errors.
Result<HomeMarker> decode_home_marker(std::string_view bytes, std::string_view subject);

}  // namespace holdfast
