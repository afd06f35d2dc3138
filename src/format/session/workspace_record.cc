// SPDX-License-Identifier: Apache-2.0
#include "format/session/workspace_record.h"

#include <algorithm>
#include <array>

#include "base/path_text.h"
#include "format/json/due_time.h"
#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/json/record_writer.h"
#include "format/text/name_escape.h"

namespace holdfast {
namespace {

constexpr std::string_view kWorkspaceRecordKind = "holdfast-harness-session";
constexpr std::array<std::string_view, kWorkspaceStates> kWorkspaceRecordStates{"reserved", "ready",
                                                                                "ended"};

Json authority_json(const Authority& authority) {
  Json json{{"kind", to_text(authority.kind)}, {"id", bytes_to_json(authority.id)}};
  RecordWriter write(json);
  write.word("full_id", authority.full_id);
  write.word("daemon", authority.daemon);
  write.word("endpoint", authority.endpoint);
  json["uid"] = authority.uid;
  json["machine"] = to_hex(authority.machine);
  write.identity("process", authority.process);
  return json;
}

Json attachment_json(const Attachment& attachment) {
  Json json{{"token", to_hex(attachment.token)}};
  RecordWriter write(json);
  write.identity("process", attachment.process);
  if (attachment.guest) json["guest"] = true;
  write.time("since", attachment.since);
  write.word("what", attachment.what);
  return json;
}

template <typename T, typename Read>
std::optional<T> find_object(RecordReader& read, const char* key, RecordFault& fault,
                             const Read& read_one) {
  const Json* object = read.find_object(key);
  if (object == nullptr) return std::nullopt;
  return read_one(*object, fault);
}

Authority read_workspace_authority(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  Authority authority;
  const std::string text = read.text("kind") + ":" + read.text("id");
  auto name = parse_authority(text);
  if (!name) {
    read.wrong("authority");
    return authority;
  }
  authority.kind = name->kind;
  authority.id = std::move(name->id);
  authority.full_id = read.word("full_id");
  authority.daemon = read.word("daemon");
  authority.endpoint = read.word("endpoint");
  authority.uid =
      static_cast<std::uint32_t>(read.count("uid", 0, std::numeric_limits<std::uint32_t>::max()));
  authority.machine = read.id("machine");
  authority.process = read.find_identity("process");
  if (authority.kind == AuthorityKind::kProcess && !authority.process) read.wrong("process");
  return authority;
}

Attachment read_attachment(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  Attachment attachment{.token = read.id("token")};
  attachment.process = read.find_identity("process");
  attachment.guest = read.find_flag("guest").value_or(false);
  attachment.since = read.time("since");
  attachment.what = read.word("what");
  return attachment;
}

WorkspaceEnd read_workspace_end(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  WorkspaceEnd end{.at = read.time("at")};
  end.reason = read.word("reason");
  return end;
}

std::vector<Attachment> read_attached(const Json& json, RecordFault& fault) {
  std::vector<Attachment> attached;
  const Json* field = json.find("attached");
  if (field == nullptr) return attached;
  if (!field->is_array() || field->size() > kMaxAttached) {
    fault.wrong("attached");
    return attached;
  }
  for (const Json& element : *field) {
    if (!element.is_object()) fault.wrong("attached");
    if (element.is_object()) attached.push_back(read_attachment(element, fault));
  }
  return attached;
}

std::vector<std::pair<std::string, std::string>> read_workspace_fields(const Json& json,
                                                                       RecordFault& fault) {
  std::vector<std::pair<std::string, std::string>> fields;
  const Json* field = json.find("fields");
  if (field == nullptr) return fields;
  if (!field->is_object()) {
    fault.wrong("fields");
    return fields;
  }
  for (const auto& [key, value] : field->items()) {
    auto text = bytes_from_json(value);
    if (!text || key.empty()) fault.wrong("fields");
    fields.emplace_back(key, std::move(text).value_or(std::string()));
  }
  return fields;
}

WorkspaceRecord read_workspace_record(const Json& json, RecordFault& fault) {
  RecordReader read(json, fault);
  WorkspaceRecord record;
  record.name = read.text("name");
  if (record.name.empty() || record.name.size() > kMaxRawName) read.wrong("name");
  record.id = read.id("id");
  record.change = read.count("change", 1);
  const std::string spelled = read.text("state");
  const auto* const state = std::ranges::find(kWorkspaceRecordStates, spelled);
  if (state == kWorkspaceRecordStates.end()) read.wrong("state");
  if (state != kWorkspaceRecordStates.end())
    record.state = static_cast<WorkspaceState>(state - kWorkspaceRecordStates.begin());
  record.created = read.time("created");
  record.born = need_moment(read, "born");
  record.directory = read.word("directory");
  record.outside = !record.directory.empty();
  if (record.outside && !is_rooted_path(record.directory)) read.wrong("directory");
  record.device = read.find_count("device").value_or(0);
  record.inode = read.find_count("inode").value_or(0);
  record.adopted = read.find_flag("adopted").value_or(false);
  record.authority = find_object<Authority>(read, "authority", fault, read_workspace_authority);
  record.former_authority =
      find_object<Authority>(read, "former_authority", fault, read_workspace_authority);
  record.resume_id = read.find_text("resume_id");
  record.resumes = read.find_count("resumes").value_or(0);
  record.ttl = read.find_duration("ttl_ms");
  record.renewed = need_moment(read, "renewed");
  record.attached = read_attached(json, fault);
  record.ended = find_object<WorkspaceEnd>(read, "ended", fault, read_workspace_end);
  if ((record.state == WorkspaceState::kEnded) != record.ended.has_value()) read.wrong("ended");
  record.fields = read_workspace_fields(json, fault);
  return record;
}

}  // namespace

std::string_view to_text(WorkspaceState state) {
  return kWorkspaceRecordStates[static_cast<std::size_t>(state)];
}

std::string encode_workspace_record(const WorkspaceRecord& record) {
  Json json;
  RecordWriter write(json);
  json["v"] = WorkspaceRecord::kVersion;
  json["kind"] = kWorkspaceRecordKind;
  json["name"] = bytes_to_json(record.name);
  json["id"] = to_hex(record.id);
  json["change"] = record.change;
  json["state"] = to_text(record.state);
  write.time("created", record.created);
  json["born"] = moment_json(record.born);
  if (record.outside) {
    json["directory"] = bytes_to_json(record.directory);
    json["device"] = record.device;
    json["inode"] = record.inode;
  }
  if (record.adopted) json["adopted"] = true;
  if (record.authority) json["authority"] = authority_json(*record.authority);
  if (record.former_authority) json["former_authority"] = authority_json(*record.former_authority);
  write.text("resume_id", record.resume_id);
  if (record.resumes != 0) json["resumes"] = record.resumes;
  write.duration("ttl_ms", record.ttl);
  json["renewed"] = moment_json(record.renewed);
  if (!record.attached.empty()) {
    Json& list = json["attached"] = Json::array();
    for (const Attachment& attachment : record.attached) {
      list.push_back(attachment_json(attachment));
    }
  }
  if (record.ended) {
    json["ended"] = {{"at", format_rfc3339(record.ended->at)},
                     {"reason", bytes_to_json(record.ended->reason)}};
  }
  if (!record.fields.empty()) {
    Json& fields = json["fields"] = Json::object();
    for (const auto& [key, value] : record.fields) fields[key] = bytes_to_json(value);
  }
  return json.dump() + "\n";
}

Result<WorkspaceRecord> decode_workspace_record(std::string_view bytes, std::string_view subject) {
  RecordFault fault{
      .op = "read the workspace's record", .cause = "bad-workspace-record", .subject = subject};
  if (bytes.size() > kMaxWorkspaceRecordBytes) return fault.corrupt("it is longer than 1 MiB");
  if (auto plain = read_plain_workspace_record(bytes)) return *std::move(plain);
  const Json json = parse_json(bytes);
  if (!json.is_object()) return fault.corrupt("it is not one JSON object");
  const std::string* kind = json_text(json, "kind");
  if (kind == nullptr || *kind != kWorkspaceRecordKind) {
    return fault.corrupt("it is not of a workspace");
  }
  HF_TRY(check_format_version("workspace's record", subject, json_version(json),
                              WorkspaceRecord::kVersion));
  WorkspaceRecord record = read_workspace_record(json, fault);
  if (fault.error) return fail(*std::move(fault.error));
  return record;
}

}  // namespace holdfast
