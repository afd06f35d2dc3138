// SPDX-License-Identifier: Apache-2.0
//
// How answers spell what may be absent, and an Error.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"

namespace holdfast {

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value;
}
inline Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
inline Json time_or_null(const std::optional<WallTime>& time) {
  return time ? Json(format_rfc3339(*time)) : Json();
}
inline Json ms_or_null(const std::optional<Duration>& duration) {
  if (!duration) return {};
  return std::chrono::floor<std::chrono::milliseconds>(*duration).count();
}

inline Json error_json(const Error& error) {
  return {{"op", error.op},
          {"subject", error.subject},
          {"cause", error.cause},
          {"detail", error.detail}};
}

}  // namespace holdfast
