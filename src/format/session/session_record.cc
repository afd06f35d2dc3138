// SPDX-License-Identifier: Apache-2.0
#include "format/session/session_record.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/path_text.h"
#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/json/record_writer.h"
#include "format/text/name_escape.h"

namespace holdfast {
namespace {

constexpr std::string_view kSessionRecordKind = "holdfast-session";

constexpr std::array<std::string_view, kSessionStates> kSessionStateNames{
    "reserved", "starting", "running",   "stopping", "verifying",  "orphaned",
    "exited",   "failed",   "timed_out", "killed",   "unverified", "lost"};

}  // namespace

std::string_view to_text(SessionState state) {
  return kSessionStateNames[static_cast<std::size_t>(state)];
}

std::optional<SessionState> parse_session_state(std::string_view text) {
  const auto found = std::ranges::find(kSessionStateNames, text);
  if (found == kSessionStateNames.end()) return std::nullopt;
  return static_cast<SessionState>(found - kSessionStateNames.begin());
}

namespace {

Json order_json(const SessionOrder& order) {
  Json json;
  RecordWriter write(json);
  write.list("command", order.command);
  json["directory"] = bytes_to_json(order.directory);
  write.list("environment", order.environment);
  write.text("stdin", order.stdin_path);
  write.duration("timeout_ms", order.timeout);
  write.duration("idle_timeout_ms", order.idle_timeout);
  json["grace_ms"] = RecordWriter::milliseconds(order.grace);
  json["kill_signal"] = order.kill_signal;
  write.text("verify", order.verify);
  json["verify_timeout_ms"] = RecordWriter::milliseconds(order.verify_timeout);
  write.text("on_end", order.on_end);
  write.text("on_failure", order.on_failure);
  write.text("on_success", order.on_success);
  if (order.once_per_streak) json["once_per_streak"] = true;
  write.list("locks", order.locks);
  if (order.stagger != Duration::zero())
    json["stagger_ms"] = RecordWriter::milliseconds(order.stagger);
  json["wait_descendants"] = order.wait_descendants;
  json["log"] = order.log;
  json["pty"] = order.pty;
  json["log_max"] = order.log_max;
  write.plain("memory", order.memory);
  if (order.memory_by_rlimit) json["memory_by_rlimit"] = true;
  write.plain("pids", order.pids);
  write.plain("cpu_percent", order.cpu_percent);
  write.plain("nofile", order.nofile);
  json["limits_best_effort"] = order.limits_best_effort;
  if (order.own_pid_namespace) json["own_pid_namespace"] = true;
  write.identity("owner", order.owner);
  return json;
}

}  // namespace

std::string encode_session_record(const SessionRecord& record) {
  Json json;
  RecordWriter write(json);
  json["v"] = SessionRecord::kVersion;
  json["kind"] = kSessionRecordKind;
  json["name"] = bytes_to_json(record.name);
  json["run"] = to_hex(record.run);
  json["number"] = record.number;
  json["state"] = to_text(record.state);
  write.word("reason", record.reason);
  write.word("detail", record.detail);
  write.plain("exit_code", record.exit_code);
  write.plain("signal", record.signal);
  write.plain("verified", record.verified);
  write.word("host", record.host);
  write.time("created", record.created);
  write.time("started", record.started);
  write.time("ended", record.ended);
  write.plain("deadline_boot_ns", record.deadline_boot_ns);
  write.identity("supervisor", record.supervisor);
  write.identity("command", record.command);
  write.word("containment", record.containment);
  if (record.cgroup) {
    json["cgroup"] = {{"path", bytes_to_json(record.cgroup->path)},
                      {"id", record.cgroup->id},
                      {"root", record.cgroup->root}};
  }
  write.list("limits_by", record.limits_by);
  write.time("last_output", record.last_output);
  json["log_bytes"] = record.log_bytes;
  json["log_lost"] = record.log_lost;
  write.list("survivors", record.survivors);
  if (record.adopted) json["adopted"] = true;
  if (record.counted) json["counted"] = true;
  if (record.asked) {
    Json& asked = json["asked"];
    RecordWriter(asked).word("by", record.asked->by);
    RecordWriter(asked).plain("signal", record.asked->signal);
  }
  if (record.streak != SessionStreak()) {
    Json& streak = json["streak"];
    streak["failures"] = record.streak.failures;
    streak["failure_told"] = record.streak.failure_told;
    streak["success_due"] = record.streak.success_due;
  }
  if (record.told) json["told"] = true;
  json["order"] = order_json(record.order);
  return dump_sealed(json);
}

namespace {

SessionOrder read_order(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  SessionOrder order;
  order.command = read.list("command");
  if (order.command.empty() || order.command.front().empty()) read.wrong("command");
  order.directory = read.text("directory");
  if (!is_rooted_path(order.directory)) read.wrong("directory");
  order.environment = read.list("environment");
  for (const std::string& entry : order.environment) {
    const auto sign = entry.find('=');
    if (sign == entry.npos || sign == 0) read.wrong("environment");
  }
  order.stdin_path = read.find_text("stdin");
  if (order.stdin_path && !is_rooted_path(*order.stdin_path)) read.wrong("stdin");
  order.timeout = read.find_duration("timeout_ms");
  order.idle_timeout = read.find_duration("idle_timeout_ms");
  order.grace = read.duration("grace_ms");
  order.kill_signal = static_cast<int>(read.count("kill_signal", 1, 64));
  order.verify = read.find_text("verify");
  order.verify_timeout = read.duration("verify_timeout_ms");
  order.on_end = read.find_text("on_end");
  order.on_failure = read.find_text("on_failure");
  order.on_success = read.find_text("on_success");
  order.once_per_streak = read.find_flag("once_per_streak").value_or(false);
  order.locks = read.list("locks");
  order.stagger = read.find_duration("stagger_ms").value_or(Duration::zero());
  order.wait_descendants = read.flag("wait_descendants");
  order.log = read.flag("log");
  order.pty = read.flag("pty");
  order.log_max = read.count("log_max");
  order.memory = read.find_count("memory");
  order.memory_by_rlimit = read.find_flag("memory_by_rlimit").value_or(false);
  order.pids = read.find_count("pids");
  order.cpu_percent = read.find_count("cpu_percent");
  order.nofile = read.find_count("nofile");
  order.limits_best_effort = read.flag("limits_best_effort");
  order.own_pid_namespace = read.find_flag("own_pid_namespace").value_or(false);
  order.owner = read.find_identity("owner");
  return order;
}

SessionCgroup read_cgroup(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  SessionCgroup group{.path = read.text("path"), .id = read.count("id")};
  group.root = read.find_count("root").value_or(0);
  if (!is_rooted_path(group.path)) read.wrong("cgroup");
  return group;
}

SessionAsked read_asked(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  return {.by = read.word("by"), .signal = read.find_int("signal", 1, 64)};
}

SessionStreak read_streak(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  return {.failures = read.count("failures"),
          .failure_told = read.flag("failure_told"),
          .success_due = read.flag("success_due")};
}

SessionRecord read_session_record(const Json& json, RecordFault& fault) {
  RecordReader read(json, fault);
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
  record.counted = read.find_flag("counted").value_or(false);
  if (const Json* asked = read.find_object("asked")) record.asked = read_asked(*asked, fault);
  if (const Json* streak = read.find_object("streak")) record.streak = read_streak(*streak, fault);
  record.told = read.find_flag("told").value_or(false);
  if (const Json* order = read.find_object("order")) {
    record.order = read_order(*order, fault);
  } else {
    read.wrong("order");
  }
  return record;
}

}  // namespace

Result<SessionRecord> decode_session_record(std::string_view bytes, std::string_view subject) {
  RecordFault fault{
      .op = "read the session's record", .cause = "bad-session-record", .subject = subject};
  if (bytes.size() > kMaxSessionRecordBytes) return fault.corrupt("it is longer than 4 MiB");
  const Json json = parse_json(bytes);
  if (!json.is_object()) return fault.corrupt("it is not one JSON object");
  const std::string* kind = json_text(json, "kind");
  if (kind == nullptr || *kind != kSessionRecordKind) {
    return fault.corrupt("it is not of a session");
  }
  HF_TRY(check_format_version("session's record", subject, json_version(json),
                              SessionRecord::kVersion));
  HF_TRY(check_seal(bytes, json, fault));
  SessionRecord record = read_session_record(json, fault);
  if (fault.error) return fail(*std::move(fault.error));
  return record;
}

}  // namespace holdfast
