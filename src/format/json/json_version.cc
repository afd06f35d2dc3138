// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_version.h"

#include <limits>

#include "format/json/json.h"

namespace holdfast {

std::optional<std::int64_t> json_version(const Json& record, const char* key) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const Json* v = record.find(key);
  if (v == nullptr || !v->is_number()) return std::nullopt;
  if (const auto number = v->integer()) return number;
  // The parser makes a floating-point number of an integer beyond 64 bits.
  return *v->real() >= 0x1p63 ? std::optional(kLargest) : std::nullopt;
}

}  // namespace holdfast
