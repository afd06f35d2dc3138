// SPDX-License-Identifier: Apache-2.0
#include "format/json/format_version.h"

#include <limits>
#include <string>

#include "base/cause.h"
#include "format/json/json.h"

namespace holdfast {

Result<> check_format_version(std::string_view what, std::string_view subject,
                              std::optional<std::int64_t> found, std::int64_t known) {
  const std::string op = "read the " + std::string(what);
  if (!found || *found < 1) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = op,
                 .subject = std::string(subject),
                 .cause = "no-version",
                 .detail = "it has no valid format version; it was left as it is"});
  }
  if (*found > known) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = op,
                 .subject = std::string(subject),
                 .cause = cause::kNewerVersion,
                 .detail = "it has format version " + std::to_string(*found) +
                           " and this program knows up to " + std::to_string(known) +
                           "; update holdfast. Nothing was changed"});
  }
  return {};
}

std::optional<std::int64_t> json_version(const Json& record, const char* key) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const Json* v = record.find(key);
  if (v == nullptr || !v->is_number()) return std::nullopt;
  if (const auto number = v->integer()) return number;
  // The parser makes a floating-point number of an integer beyond 64 bits.
  return *v->real() >= 0x1p63 ? std::optional(kLargest) : std::nullopt;
}

}  // namespace holdfast
