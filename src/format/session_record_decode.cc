// SPDX-License-Identifier: Apache-2.0
//
// Strict on purpose: a record decides whether a name is free and what may be run again. A field of
// the wrong type or out of range is damage, not a field that was left out.
#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include "format/format_version.h"
#include "format/identity_json.h"
#include "format/json_bytes.h"
#include "format/json_fields.h"
#include "format/json_version.h"
#include "format/name_escape.h"
#include "format/rfc3339.h"
#include "format/session_record.h"
#include "format/session_record_kind.h"

namespace holdfast {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostMilliseconds =
    std::numeric_limits<std::int64_t>::max() / std::int64_t{1'000'000};
constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

std::unexpected<Error> corrupt(std::string_view subject, std::string_view why) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the session's record",
               .subject = std::string(subject),
               .cause = "bad-session-record",
               .detail = std::string(why) + "; it was left as it is"});
}

// The first thing that is wrong; after it nothing counts.
struct Fault {
  std::string_view subject;
  std::optional<Error> error{};

  void wrong(std::string_view key) {
    if (error) return;
    error = corrupt(subject, "its field `" + std::string(key) + "` is not as it should be").error();
  }
};

// Takes the fields of one object.
class Reader {
 public:
  Reader(const Json& object, Fault& fault) : object_(object), fault_(fault) {}

  std::optional<std::string> find_text(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    return bytes(key, *field);
  }
  std::string text(const char* key) { return need(key, find_text(key)); }
  std::string word(const char* key) { return find_text(key).value_or(std::string()); }

  std::vector<std::string> list(const char* key) {
    std::vector<std::string> texts;
    const Json* field = find(key);
    if (field == nullptr) return texts;
    if (!field->is_array()) wrong(key);
    if (field->is_array()) {
      for (const Json& element : *field) texts.push_back(bytes(key, element));
    }
    return texts;
  }

  std::optional<std::uint64_t> find_count(const char* key, std::uint64_t least = 0,
                                          std::uint64_t most = kLargest) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    const auto number = json_count(object_, key);
    if (number && *number >= least && *number <= most) return number;
    wrong(key);
    return std::nullopt;
  }
  std::uint64_t count(const char* key, std::uint64_t least = 0, std::uint64_t most = kLargest) {
    return need(key, find_count(key, least, most));
  }
  std::optional<int> find_int(const char* key, std::uint64_t least, std::uint64_t most) {
    const auto number = find_count(key, least, most);
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
  }
  std::optional<std::int64_t> find_signed(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    const bool fits =
        field->is_number_unsigned()
            ? field->get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}
            : field->is_number_integer();
    if (fits) return field->get<std::int64_t>();
    wrong(key);
    return std::nullopt;
  }

  std::optional<bool> find_flag(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    if (!field->is_boolean()) wrong(key);
    return json_flag(object_, key);
  }
  bool flag(const char* key) { return need(key, find_flag(key)); }

  std::optional<WallTime> find_time(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    const std::string* spelled = json_text(object_, key);
    const auto time = spelled != nullptr ? parse_rfc3339(*spelled) : std::nullopt;
    if (!time) wrong(key);
    return time;
  }
  WallTime time(const char* key) { return need(key, find_time(key)); }

  std::optional<Duration> find_duration(const char* key) {
    const auto ms = find_count(key, 0, kMostMilliseconds);
    if (!ms) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(*ms));
  }
  Duration duration(const char* key) { return need(key, find_duration(key)); }

  std::optional<ProcessIdentity> find_identity(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    if (!field->is_object()) {
      wrong(key);
      return std::nullopt;
    }
    const auto identity = decode_identity(field->dump(), fault_.subject);
    if (identity) return identity->process;
    const bool newer = identity.error().code == ErrorCode::kCannotTell;
    if (newer && !fault_.error) fault_.error = identity.error();
    wrong(key);
    return std::nullopt;
  }
  ProcessIdentity identity(const char* key) { return need(key, find_identity(key)); }

  const Json* find_object(const char* key) {
    const Json* field = find(key);
    if (field != nullptr && !field->is_object()) wrong(key);
    return field != nullptr && field->is_object() ? field : nullptr;
  }

  void wrong(std::string_view key) { fault_.wrong(key); }

 private:
  const Json* find(const char* key) const {
    const auto field = object_.find(key);
    return field != object_.end() ? &*field : nullptr;
  }
  template <typename T>
  T need(const char* key, std::optional<T> value) {
    if (!value) wrong(key);
    return value ? *std::move(value) : T{};
  }
  // A NUL would silently cut an argument or a path to another one.
  std::string bytes(const char* key, const Json& value) {
    auto bytes = bytes_from_json(value);
    if (bytes && bytes->find('\0') == std::string::npos) return *std::move(bytes);
    wrong(key);
    return {};
  }

  const Json& object_;
  Fault& fault_;
};

bool is_absolute(std::string_view path) { return path.starts_with('/'); }

SessionOrder read_order(const Json& object, Fault& fault) {
  Reader read(object, fault);
  SessionOrder order;
  order.command = read.list("command");
  if (order.command.empty() || order.command.front().empty()) read.wrong("command");
  order.directory = read.text("directory");
  if (!is_absolute(order.directory)) read.wrong("directory");
  order.environment = read.list("environment");
  for (const std::string& entry : order.environment) {
    const auto sign = entry.find('=');
    if (sign == entry.npos || sign == 0) read.wrong("environment");
  }
  order.stdin_path = read.find_text("stdin");
  if (order.stdin_path && !is_absolute(*order.stdin_path)) read.wrong("stdin");
  order.timeout = read.find_duration("timeout_ms");
  order.idle_timeout = read.find_duration("idle_timeout_ms");
  order.grace = read.duration("grace_ms");
  order.kill_signal = static_cast<int>(read.count("kill_signal", 1, 64));
  order.verify = read.find_text("verify");
  order.verify_timeout = read.duration("verify_timeout_ms");
  order.on_end = read.find_text("on_end");
  order.locks = read.list("locks");
  order.wait_descendants = read.flag("wait_descendants");
  order.log = read.flag("log");
  order.pty = read.flag("pty");
  order.log_max = read.count("log_max");
  order.memory = read.find_count("memory");
  order.pids = read.find_count("pids");
  order.cpu_percent = read.find_count("cpu_percent");
  order.nofile = read.find_count("nofile");
  order.limits_best_effort = read.flag("limits_best_effort");
  return order;
}

SessionCgroup read_cgroup(const Json& object, Fault& fault) {
  Reader read(object, fault);
  SessionCgroup group{.path = read.text("path"), .id = read.count("id")};
  group.root = read.find_count("root").value_or(0);
  if (!is_absolute(group.path)) read.wrong("cgroup");
  return group;
}

SessionRecord read_record(const Json& json, Fault& fault) {
  Reader read(json, fault);
  SessionRecord record;
  record.name = read.text("name");
  if (record.name.empty() || record.name.size() > kMaxRawName) read.wrong("name");
  const auto run = parse_id128(read.text("run"));
  if (!run) read.wrong("run");
  record.run = run.value_or(Id128{});
  record.number = read.count("number", 1);
  const auto state = parse_session_state(read.text("state"));
  if (!state) read.wrong("state");
  record.state = state.value_or(SessionState::kReserved);
  record.reason = read.word("reason");
  record.detail = read.word("detail");
  record.exit_code = read.find_int("exit_code", 0, 255);
  record.signal = read.find_int("signal", 1, 64);
  record.verified = read.find_flag("verified");
  record.host = read.word("host");
  record.created = read.time("created");
  record.started = read.find_time("started");
  record.ended = read.find_time("ended");
  record.deadline_boot_ns = read.find_signed("deadline_boot_ns");
  record.supervisor = read.identity("supervisor");
  record.command = read.find_identity("command");
  record.containment = read.word("containment");
  if (const Json* group = read.find_object("cgroup")) record.cgroup = read_cgroup(*group, fault);
  record.limits_by = read.list("limits_by");
  record.last_output = read.find_time("last_output");
  record.log_bytes = read.count("log_bytes");
  record.log_lost = read.count("log_lost");
  record.survivors = read.list("survivors");
  record.adopted = read.find_flag("adopted").value_or(false);
  if (const Json* order = read.find_object("order")) {
    record.order = read_order(*order, fault);
  } else {
    read.wrong("order");
  }
  return record;
}

}  // namespace

Result<SessionRecord> decode_session_record(std::string_view bytes, std::string_view subject) {
  if (bytes.size() > kMaxSessionRecordBytes) return corrupt(subject, "it is longer than 4 MiB");
  const Json json = parse_json(bytes);
  if (!json.is_object()) return corrupt(subject, "it is not one JSON object");
  const std::string* kind = json_text(json, "kind");
  if (kind == nullptr || *kind != kSessionRecordKind) {
    return corrupt(subject, "it is not of a session");
  }
  HF_TRY(check_format_version("session's record", subject, json_version(json),
                              SessionRecord::kVersion));
  Fault fault{.subject = subject};
  SessionRecord record = read_record(json, fault);
  if (fault.error) return fail(*std::move(fault.error));
  return record;
}

}  // namespace holdfast
