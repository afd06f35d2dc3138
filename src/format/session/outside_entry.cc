// SPDX-License-Identifier: Apache-2.0
#include "format/session/workspace_record.h"

#include "base/path_text.h"
#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"

namespace holdfast {
namespace {

constexpr std::string_view kOutsideEntryKind = "holdfast-outside-directory";

}  // namespace

std::string encode_outside_entry(const OutsideEntryRecord& entry) {
  Json json;
  json["v"] = OutsideEntryRecord::kVersion;
  json["kind"] = kOutsideEntryKind;
  json["id"] = to_hex(entry.id);
  json["name"] = bytes_to_json(entry.name);
  json["directory"] = bytes_to_json(entry.directory);
  json["device"] = entry.device;
  json["inode"] = entry.inode;
  json["birth_ns"] = entry.birth_ns;
  return json.dump() + "\n";
}

Result<OutsideEntryRecord> decode_outside_entry(std::string_view bytes, std::string_view subject) {
  RecordFault fault{.op = "read which directories outside belong to sessions",
                    .cause = "bad-outside-entry",
                    .subject = subject};
  if (bytes.size() > kMaxOutsideEntryBytes) return fault.corrupt("it is longer than 64 KiB");
  const Json json = parse_json(bytes);
  if (!json.is_object()) return fault.corrupt("it is not one JSON object");
  const std::string* kind = json_text(json, "kind");
  if (kind == nullptr || *kind != kOutsideEntryKind) return fault.corrupt("it is of another kind");
  HF_TRY(check_format_version("entry of a directory outside", subject, json_version(json),
                              OutsideEntryRecord::kVersion));
  RecordReader read(json, fault);
  OutsideEntryRecord entry;
  const auto id = parse_id128(read.text("id"));
  if (!id) read.wrong("id");
  entry.id = id.value_or(Id128{});
  entry.name = read.text("name");
  entry.directory = read.text("directory");
  if (!is_rooted_path(entry.directory)) read.wrong("directory");
  entry.device = read.count("device");
  entry.inode = read.count("inode", 1);
  const auto birth = read.find_signed("birth_ns");
  if (!birth) read.wrong("birth_ns");
  entry.birth_ns = birth.value_or(0);
  if (fault.error) return fail(*std::move(fault.error));
  return entry;
}

}  // namespace holdfast
