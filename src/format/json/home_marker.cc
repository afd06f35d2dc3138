// SPDX-License-Identifier: Apache-2.0
#include "format/json/home_marker.h"

#include <optional>

#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"

namespace holdfast {
namespace {

constexpr std::string_view kHomeMarkerKind = "holdfast-home";

std::unexpected<Error> home_marker_corrupt(std::string_view subject, std::string_view why) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the home's format file",
               .subject = std::string(subject),
               .cause = "bad-home-format",
               .detail = std::string(why) + "; it was left as it is"});
}

// Byte for byte as encode_home_marker writes it: every command reads one, and needs no parser for
// it.
std::optional<HomeMarker> as_written(std::string_view bytes) {
  constexpr std::string_view kBefore = R"({"v":1,"kind":"holdfast-home","created":")";
  constexpr std::string_view kAfter = "\"}\n";
  static_assert(HomeMarker::kVersion == 1);
  if (!bytes.starts_with(kBefore) || !bytes.ends_with(kAfter)) return std::nullopt;
  if (bytes.size() < kBefore.size() + kAfter.size()) return std::nullopt;
  bytes.remove_prefix(kBefore.size());
  bytes.remove_suffix(kAfter.size());
  const auto time = parse_rfc3339(bytes);
  return time ? std::optional(HomeMarker{.created = *time}) : std::nullopt;
}

}  // namespace

std::string encode_home_marker(const HomeMarker& marker) {
  Json record;
  record["v"] = HomeMarker::kVersion;
  record["kind"] = kHomeMarkerKind;
  record["created"] = format_rfc3339(marker.created);
  return record.dump() + "\n";
}

Result<HomeMarker> decode_home_marker(std::string_view bytes, std::string_view subject) {
  if (bytes.size() > kMaxHomeMarkerBytes)
    return home_marker_corrupt(subject, "it is longer than 4096 bytes");
  if (const auto marker = as_written(bytes)) return *marker;
  const Json record = parse_json(bytes);
  if (!record.is_object()) return home_marker_corrupt(subject, "it is not one JSON object");
  const std::string* kind = json_text(record, "kind");
  if (kind == nullptr || *kind != kHomeMarkerKind)
    return home_marker_corrupt(subject, "it is not of a holdfast home");
  HF_TRY(check_format_version("home's format file", subject, json_version(record),
                              HomeMarker::kVersion));
  const std::string* created = json_text(record, "created");
  const auto time = created != nullptr ? parse_rfc3339(*created) : std::nullopt;
  if (!time) return home_marker_corrupt(subject, "it has no valid time of creation");
  return HomeMarker{.created = *time};
}

}  // namespace holdfast
