// SPDX-License-Identifier: Apache-2.0
#include "format/session/process_identity.h"

#include <charconv>
#include <limits>
#include <vector>

#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/lock/foreign_lock.h"

namespace holdfast {
namespace {

std::unexpected<Error> identity_json_corrupt(std::string_view subject, std::string why) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the identity",
               .subject = std::string(subject),
               .cause = "bad-identity",
               .detail = std::move(why) + "; `holdfast identify PID` prints one"});
}

Result<Id128> hex_field(const Json& object, const char* key, std::string_view subject) {
  const std::string* text = json_text(object, key);
  const auto id = text != nullptr ? parse_id128(*text) : std::nullopt;
  if (!id)
    return identity_json_corrupt(subject,
                                 std::string("`") + key + "` is not 32 hexadecimal digits");
  return *id;
}

Result<std::uint64_t> number_field(const Json& object, const char* key, std::string_view subject,
                                   std::uint64_t largest) {
  const auto number = json_count(object, key);
  if (number && *number <= largest) return *number;
  return identity_json_corrupt(subject,
                               std::string("`") + key + "` is not a whole number that it could be");
}

}  // namespace

std::string encode_identity(const IdentityRecord& identity) {
  return identity_to_object(identity).dump();
}

Json identity_to_object(const IdentityRecord& identity) {
  const ProcessIdentity& process = identity.process;
  Json line;
  line["v"] = IdentityRecord::kVersion;
  line["boot"] = to_hex(process.boot);
  line["machine"] = to_hex(process.machine);
  line["pidns"] = process.pidns;
  line["timens"] = process.timens;
  line["pid"] = process.pid;
  line["start"] = process.start;
  line["pidfs"] = process.pidfs;
  line["uid"] = process.uid;
  line["run"] = identity.run ? Json(to_hex(*identity.run)) : Json();
  return line;
}

Result<IdentityRecord> decode_identity(std::string_view bytes, std::string_view subject) {
  if (bytes.size() > kMaxIdentityBytes)
    return identity_json_corrupt(subject, "it is longer than 4096 bytes");
  const Json object = parse_json(bytes);
  if (!object.is_object()) return identity_json_corrupt(subject, "it is not one JSON object");
  // Of two values for one key a reader would believe one, and a person perhaps the other.
  if (parse_json(bytes, RepeatedKeys::kRefuse).is_invalid())
    return identity_json_corrupt(subject, "a key stands in it twice");
  return identity_from_object(object, subject);
}

Result<IdentityRecord> identity_from_object(const Json& object, std::string_view subject) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  HF_TRY(check_format_version("identity", subject, json_version(object), IdentityRecord::kVersion));
  IdentityRecord identity;
  ProcessIdentity& process = identity.process;
  process.boot = HF_TRY(hex_field(object, "boot", subject));
  process.machine = HF_TRY(hex_field(object, "machine", subject));
  process.pidns = HF_TRY(number_field(object, "pidns", subject, kAny));
  process.timens = HF_TRY(number_field(object, "timens", subject, kAny));
  const std::uint64_t pid =
      HF_TRY(number_field(object, "pid", subject, std::numeric_limits<std::int32_t>::max()));
  if (pid == 0) return identity_json_corrupt(subject, "`pid` 0 is no process");
  process.pid = static_cast<std::int32_t>(pid);
  process.start = HF_TRY(number_field(object, "start", subject, kAny));
  process.pidfs = HF_TRY(number_field(object, "pidfs", subject, kAny));
  process.uid = static_cast<std::uint32_t>(
      HF_TRY(number_field(object, "uid", subject, std::numeric_limits<std::uint32_t>::max())));
  const Json* run = object.find("run");
  if (run != nullptr && !run->is_null()) {
    identity.run = HF_TRY(hex_field(object, "run", subject));
  }
  return identity;
}

namespace {

constexpr std::string_view kPidFileTextSpace = " \t\r\n\f\v";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t first = text.find_first_not_of(kPidFileTextSpace);
    if (first == text.npos) return words;
    text.remove_prefix(first);
    const std::size_t end = std::min(text.find_first_of(kPidFileTextSpace), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<std::uint64_t> pid_file_text_parse_digits(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
  if (std::from_chars(text.data(), end, value).ec != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> ticks_of_object(std::string_view bytes) {
  const auto object = parse_json(bytes);
  if (!object.is_object()) return std::nullopt;
  const auto ticks = json_count(object, "starttime");
  return ticks ? ticks : json_count(object, "start_ticks");
}

// nullopt: not exactly two numbers.
std::optional<PidFileText> two_numbers(const std::vector<std::string_view>& words) {
  if (words.size() != 2) return std::nullopt;
  const auto ticks = pid_file_text_parse_digits(words[1]);
  const ForeignLock first = read_foreign_lock(words[0]);
  if (!ticks || first.kind != ForeignLock::Kind::kNumber) return std::nullopt;
  return PidFileText{.pid = first.pid, .start_ticks = ticks};
}

// A list of pids (a daemon and its workers) names nobody in particular.
bool is_list_of_numbers(const std::vector<std::string_view>& words) {
  return words.size() > 2 && pid_file_text_parse_digits(words[0]) &&
         pid_file_text_parse_digits(words[1]);
}

}  // namespace

std::optional<PidFileText> read_pid_file_text(std::string_view bytes) {
  if (bytes.size() > kMaxPidFileBytes) return std::nullopt;
  const std::vector<std::string_view> words = words_of(bytes);
  if (auto both = two_numbers(words)) return both;
  if (is_list_of_numbers(words)) return std::nullopt;
  const ForeignLock found = read_foreign_lock(bytes);
  using Kind = ForeignLock::Kind;
  if (found.kind != Kind::kNumber && found.kind != Kind::kJson) return std::nullopt;
  PidFileText text{.pid = found.pid, .start_ticks = {}, .host = found.host};
  if (found.kind == Kind::kJson) text.start_ticks = ticks_of_object(bytes);
  return text;
}

}  // namespace holdfast
