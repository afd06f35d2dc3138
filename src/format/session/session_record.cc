// SPDX-License-Identifier: Apache-2.0
#include "format/session/session_record.h"

#include "format/json/json.h"
#include "format/json/record_writer.h"
#include "format/json/sealed_json.h"
#include "format/session/session_record_kind.h"

namespace holdfast {
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
  write.list("locks", order.locks);
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
  json["order"] = order_json(record.order);
  return dump_sealed(json);
}

}  // namespace holdfast
