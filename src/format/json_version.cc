// SPDX-License-Identifier: Apache-2.0
#include "format/json_version.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace holdfast {

std::optional<std::int64_t> json_version(const nlohmann::ordered_json& record, const char* key) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const auto v = record.find(key);
  if (v == record.end() || !v->is_number()) return std::nullopt;
  if (v->is_number_unsigned()) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(v->get<std::uint64_t>(), kLargest));
  }
  if (v->is_number_integer()) return v->get<std::int64_t>();
  // The parser makes a floating-point number of an integer beyond 64 bits.
  return v->get<double>() >= 0x1p63 ? std::optional(kLargest) : std::nullopt;
}

}  // namespace holdfast
