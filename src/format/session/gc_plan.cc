// SPDX-License-Identifier: Apache-2.0
#include "format/session/gc_plan.h"

#include "format/json/due_time.h"
#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/json/record_writer.h"
#include "format/text/name_escape.h"

namespace holdfast {
namespace {

constexpr std::string_view kPlanKind = "holdfast-gc-plan";
constexpr std::string_view kNoteKind = "holdfast-trash-note";

// The head of a record of this kind, its version seen.
Result<Json> read_gc_plan_head(std::string_view line, std::string_view kind, std::string_view what,
                               std::int64_t version, const RecordFault& fault) {
  Json head = parse_json(line);
  if (!head.is_object()) return fault.corrupt("it is not one JSON object");
  const std::string* found = json_text(head, "kind");
  if (found == nullptr || *found != kind) return fault.corrupt("it is of another kind");
  HF_TRY(check_format_version(what, fault.subject, json_version(head), version));
  return head;
}

std::vector<GcProbe> read_probes(const Json& head, RecordFault& fault) {
  std::vector<GcProbe> probes;
  const Json* field = head.find("probes");
  if (field == nullptr) return probes;
  if (!field->is_array()) {
    fault.wrong("probes");
    return probes;
  }
  for (const Json& element : *field) {
    if (!element.is_object()) {
      fault.wrong("probes");
      return probes;
    }
    RecordReader read(element, fault);
    GcProbe probe;
    probe.pool = read.word("pool");
    probe.command = read.text("command");
    probes.push_back(std::move(probe));
  }
  return probes;
}

GcPlanEntry read_entry(const Json& json, RecordFault& fault) {
  RecordReader read(json, fault);
  GcPlanEntry entry;
  entry.name = read.text("name");
  if (!escape_name(entry.name, platform_name_rules())) read.wrong("name");
  entry.id = read.id("id");
  entry.change = read.count("change");
  entry.run = read.find_flag("run").value_or(false);
  entry.reason = read.text("reason");
  return entry;
}

GcPlan read_plan(const Json& head, RecordFault& fault) {
  RecordReader read(head, fault);
  GcPlan plan;
  plan.id = read.id("id");
  plan.at = read.time("at");
  plan.made = need_moment(read, "made");
  plan.grace = read.duration("grace_ms");
  plan.probe_timeout = read.duration("probe_timeout_ms");
  plan.probes = read_probes(head, fault);
  plan.rescue = read.find_text("rescue");
  plan.rescue_timeout = read.duration("rescue_timeout_ms");
  plan.trash_for = read.duration("trash_for_ms");
  plan.allow_all = read.find_flag("allow_all").value_or(false);
  plan.allow = read.list("allow");
  return plan;
}

// Spelled by hand: a plan may have a hundred thousand.
void append_entry(std::string& bytes, const GcPlanEntry& entry) {
  bytes += "{\"name\":";
  append_json_bytes(bytes, entry.name);
  bytes += ",\"id\":\"" + to_hex(entry.id) + "\",\"change\":" + std::to_string(entry.change);
  if (entry.run) bytes += ",\"run\":true";
  bytes += ",\"reason\":";
  append_json_bytes(bytes, entry.reason);
  bytes += "}\n";
}

}  // namespace

std::string encode_gc_plan(const GcPlan& plan) {
  Json head{{"v", GcPlan::kVersion}, {"kind", kPlanKind}, {"id", to_hex(plan.id)}};
  head["at"] = format_rfc3339(plan.at);
  head["made"] = moment_json(plan.made);
  head["grace_ms"] = RecordWriter::milliseconds(plan.grace);
  head["probe_timeout_ms"] = RecordWriter::milliseconds(plan.probe_timeout);
  if (!plan.probes.empty()) {
    Json& probes = head["probes"] = Json::array();
    for (const GcProbe& probe : plan.probes) {
      Json json = Json::object();
      RecordWriter(json).word("pool", probe.pool);
      json["command"] = bytes_to_json(probe.command);
      probes.push_back(std::move(json));
    }
  }
  RecordWriter(head).text("rescue", plan.rescue);
  head["rescue_timeout_ms"] = RecordWriter::milliseconds(plan.rescue_timeout);
  head["trash_for_ms"] = RecordWriter::milliseconds(plan.trash_for);
  if (plan.allow_all) head["allow_all"] = true;
  RecordWriter(head).list("allow", plan.allow);
  head["entries"] = plan.entries.size();
  std::string bytes = head.dump() + "\n";
  for (const GcPlanEntry& entry : plan.entries) {
    append_entry(bytes, entry);
  }
  return bytes;
}

Result<GcPlan> decode_gc_plan(std::string_view bytes, std::string_view subject) {
  RecordFault fault{.op = "read the plan", .cause = "bad-gc-plan", .subject = subject};
  if (bytes.size() > kMaxGcPlanBytes) return fault.corrupt("it is longer than 256 MiB");
  const auto next_line = [&]() -> std::optional<std::string_view> {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    return line;
  };
  const auto first = next_line();
  if (!first) return fault.corrupt("it has no head");
  const Json head = HF_TRY(read_gc_plan_head(*first, kPlanKind, "plan", GcPlan::kVersion, fault));
  GcPlan plan = read_plan(head, fault);
  const std::uint64_t entries = RecordReader(head, fault).count("entries");
  while (!fault.error && plan.entries.size() < entries) {
    const auto line = next_line();
    if (!line) return fault.corrupt("it is cut short");
    const Json json = parse_json(*line);
    if (!json.is_object()) return fault.corrupt("an entry of it is not one JSON object");
    plan.entries.push_back(read_entry(json, fault));
  }
  if (fault.error) return fail(*fault.error);
  if (!bytes.empty()) return fault.corrupt("it goes on behind its last entry");
  return plan;
}

std::string encode_trash_note(const TrashNote& note) {
  Json json{{"v", TrashNote::kVersion}, {"kind", kNoteKind}, {"at", format_rfc3339(note.at)}};
  json["moment"] = moment_json(note.moment);
  json["reason"] = bytes_to_json(note.reason);
  if (note.plan) json["plan"] = to_hex(*note.plan);
  json["keep_ms"] = RecordWriter::milliseconds(note.keep);
  RecordWriter(json).text("as", note.as);
  return json.dump() + "\n";
}

Result<TrashNote> decode_trash_note(std::string_view bytes, std::string_view subject) {
  RecordFault fault{
      .op = "read the note of the trash", .cause = "bad-trash-note", .subject = subject};
  if (bytes.size() > kMaxTrashNoteBytes) return fault.corrupt("it is longer than 4096 bytes");
  const Json json =
      HF_TRY(read_gc_plan_head(bytes, kNoteKind, "note of the trash", TrashNote::kVersion, fault));
  RecordReader read(json, fault);
  TrashNote note;
  note.at = read.time("at");
  note.moment = need_moment(read, "moment");
  note.reason = read.text("reason");
  if (json.contains("plan")) note.plan = read.id("plan");
  note.keep = read.duration("keep_ms");
  note.as = read.find_text("as");
  if (fault.error) return fail(*fault.error);
  return note;
}

}  // namespace holdfast
