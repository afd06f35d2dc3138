// SPDX-License-Identifier: Apache-2.0
//
// Where it cannot be told whose a record is, the answer is kUnusable and never "nobody's": a record
// that is only half written looks just so. Three traps:
//
//   - A bare number may be a time in seconds. No process number of Linux is above 2^22.
//   - `startTime` may be ticks since boot, and so a time long ago as seconds: every living process
//     would then look younger than the record. As a number it only counts in milliseconds.
//   - Of several times the latest is taken: the writer was certainly there at that moment.
#include "format/lock/foreign_lock.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "format/file/ledger_query.h"
#include "format/json/json.h"
#include "format/json/json_span.h"

namespace holdfast {
namespace {

using ForeignLockKind = ForeignLock::Kind;

constexpr std::string_view kForeignLockSpace = " \t\r\n\f\v";
constexpr std::string_view kForeignLockDigits = "0123456789";
constexpr std::uint64_t kLargestPid = std::uint64_t{1} << 22;
constexpr std::size_t kLongestHost = 253;

// The start of a process, or of the work: see the second trap.
constexpr std::array kStartKeys{"startTime", "start_time"};
constexpr std::array kTimeKeys{"started",     "startedAt", "started_at", "acquired",   "acquiredAt",
                               "acquired_at", "created",   "createdAt",  "created_at", "locked_at",
                               "lockedAt",    "timestamp", "ts",         "time"};
// A smaller number of seconds is before September 2001 and rather something else.
constexpr WallTime kFirstSeconds = wall_time_from_unix(1'000'000'000, 0);

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kForeignLockSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kForeignLockSpace) - first + 1);
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kForeignLockDigits) == text.npos;
}

// Nothing where it is none, or does not fit.
std::optional<std::uint64_t> foreign_lock_parse_digits(std::string_view text) {
  std::uint64_t value = 0;
  if (!is_digits(text)) return std::nullopt;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc()) return std::nullopt;
  return value;
}

bool is_host(std::string_view text) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= kLongestHost && !is_digits(text) &&
         std::ranges::all_of(text, is_part);
}

ForeignLock read_number(std::string_view text) {
  const std::size_t end = text.find('\n');
  const std::string_view first = trim(text.substr(0, end));
  if (!is_digits(first)) return {.kind = ForeignLockKind::kUnrecognised};
  const auto pid = foreign_lock_parse_digits(first);
  if (!pid || *pid == 0 || *pid > kLargestPid) return {.kind = ForeignLockKind::kUnusable};
  ForeignLock lock{.kind = ForeignLockKind::kNumber, .pid = static_cast<std::int32_t>(*pid)};
  if (end == text.npos) return lock;
  text.remove_prefix(end + 1);
  const std::string_view second = trim(text.substr(0, text.find('\n')));
  if (is_host(second)) lock.host = std::string(second);
  return lock;
}

// A number, or digits in a text as shells write them.
std::optional<std::int32_t> json_pid(const Json& value) {
  std::optional<std::uint64_t> pid = value.count();
  if (const auto* text = value.text()) pid = foreign_lock_parse_digits(*text);
  if (!pid || *pid == 0 || *pid > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  return static_cast<std::int32_t>(*pid);
}

std::optional<WallTime> json_time(const Json& object, const char* key, bool in_seconds) {
  const Json* field = object.find(key);
  if (field == nullptr) return std::nullopt;
  const auto time = parse_ledger_time(field->dump());
  if (!time || !field->is_number()) return time;
  constexpr double kFirstMilliseconds = 1e11;
  const bool is_milliseconds = *field->real() > kFirstMilliseconds;
  return is_milliseconds || (in_seconds && *time >= kFirstSeconds) ? time : std::nullopt;
}

std::optional<WallTime> latest_time(const Json& object) {
  std::optional<WallTime> latest;  // nothing is before every time
  for (const char* key : kStartKeys) latest = std::max(latest, json_time(object, key, false));
  for (const char* key : kTimeKeys) latest = std::max(latest, json_time(object, key, true));
  return latest;
}

ForeignLock read_object(std::string_view text) {
  const Json object = parse_json(text);
  if (!object.is_object()) {
    const auto fault = find_json_fault(text);
    const bool is_record = text.contains("\"pid\"") || (fault && fault->at_end);
    return {.kind = is_record ? ForeignLockKind::kUnusable : ForeignLockKind::kUnrecognised};
  }
  const Json* field = object.find("pid");
  if (field == nullptr) return {.kind = ForeignLockKind::kUnrecognised};
  const auto pid = json_pid(*field);
  if (!pid) return {.kind = ForeignLockKind::kUnusable};
  ForeignLock lock{.kind = ForeignLockKind::kJson, .pid = *pid, .since = latest_time(object)};
  for (const char* key : {"host", "hostname"}) {
    const std::string* host = json_text(object, key);
    if (host != nullptr && !host->empty()) lock.host = *host;
  }
  return lock;
}

}  // namespace

ForeignLock read_foreign_lock(std::string_view bytes) {
  if (bytes.size() > kMaxForeignLock) return {.kind = ForeignLockKind::kUnrecognised};
  const std::string_view text = trim(bytes);
  if (text.empty()) return {};
  return text.starts_with('{') ? read_object(text) : read_number(text);
}

}  // namespace holdfast
