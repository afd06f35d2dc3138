// SPDX-License-Identifier: Apache-2.0
#include "format/session/session_request.h"

#include <chrono>
#include <limits>

#include "base/printable.h"
#include "format/json/format_version.h"
#include "format/json/json.h"

namespace holdfast {
namespace {

constexpr std::string_view kSubject = "a request";
constexpr std::size_t kMostBy = 256;  // bytes of it; a byte is at most six when it is escaped
constexpr std::uint64_t kMostGraceMilliseconds =
    std::numeric_limits<std::int64_t>::max() / std::int64_t{1'000'000};

std::unexpected<Error> bad_request(ErrorCode code, std::string_view cause, std::string_view why) {
  return fail({.code = code,
               .op = "understand",
               .subject = std::string(kSubject),
               .cause = std::string(cause),
               .detail = std::string(why)});
}

std::unexpected<Error> session_request_corrupt(std::string_view why) {
  return bad_request(ErrorCode::kCorrupt, "bad-session-request", why);
}

// Cut between characters, and made text where it is not.
std::string shown(std::string_view text) {
  std::string cut;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_sequence_length(text.substr(at));
    if (cut.size() + std::max<std::size_t>(length, 1) > kMostBy) break;
    cut += length == 0 ? "?" : std::string(text.substr(at, length));
    at += std::max<std::size_t>(length, 1);
  }
  return cut;
}

}  // namespace

std::string encode_session_request(const SessionRequest& request) {
  Json json;
  json["v"] = SessionRequest::kVersion;
  json["ask"] = "stop";
  if (request.grace) {
    json["grace_ms"] = std::chrono::ceil<std::chrono::milliseconds>(*request.grace).count();
  }
  if (request.signal) json["signal"] = *request.signal;
  if (!request.by.empty()) json["by"] = shown(request.by);
  return json.dump() + "\n";
}

Result<SessionRequest> decode_session_request(std::string_view line) {
  if (line.size() >= kMaxSessionRequestBytes) return session_request_corrupt("it is too long");
  const Json json = parse_json(line);
  if (!json.is_object()) return session_request_corrupt("it is not one JSON object");
  HF_TRY(check_format_version("request", kSubject, json_version(json), SessionRequest::kVersion));
  const std::string* asked = json_text(json, "ask");
  if (asked == nullptr) return session_request_corrupt("it asks for nothing");
  if (*asked != "stop")
    return bad_request(ErrorCode::kCannotTell, "unknown-request", "it is not known");
  SessionRequest request;
  if (json.contains("grace_ms")) {
    const auto grace = json_count(json, "grace_ms");
    if (!grace || *grace > kMostGraceMilliseconds)
      return session_request_corrupt("its grace is no duration");
    request.grace = std::chrono::milliseconds(static_cast<std::int64_t>(*grace));
  }
  if (json.contains("signal")) {
    const auto signal = json_count(json, "signal");
    if (!signal || *signal < 1 || *signal > 64)
      return session_request_corrupt("its signal is none");
    request.signal = static_cast<int>(*signal);
  }
  if (json.contains("by")) {
    const std::string* by = json_text(json, "by");
    if (by == nullptr) return session_request_corrupt("who asks is no text");
    request.by = *by;
  }
  return request;
}

}  // namespace holdfast
