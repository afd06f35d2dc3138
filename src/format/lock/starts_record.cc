// SPDX-License-Identifier: Apache-2.0
#include "format/lock/starts_record.h"

#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/json/record_writer.h"

namespace holdfast {
namespace {

constexpr std::string_view kStartsRecordKind = "holdfast-starts";

NextStart read_next_start(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  NextStart start{.name = read.text("name")};
  if (start.name.empty()) read.wrong("name");
  const auto next = find_due(read, "next");
  if (!next) read.wrong("next");
  start.next = next.value_or(DueTime{});
  return start;
}

}  // namespace

std::string encode_starts_record(const StartsRecord& record) {
  Json json;
  json["v"] = StartsRecord::kVersion;
  json["kind"] = kStartsRecordKind;
  Json& list = json["names"] = Json::array();
  for (const NextStart& start : record.names)
    list.push_back({{"name", bytes_to_json(start.name)}, {"next", due_json(start.next)}});
  return dump_sealed(json);
}

Result<StartsRecord> decode_starts_record(std::string_view bytes, std::string_view subject) {
  RecordFault fault{
      .op = "read the times of the next starts", .cause = "bad-starts-record", .subject = subject};
  if (bytes.size() > kMaxStartsBytes) return fault.corrupt("it is longer than 4 MiB");
  const Json json = parse_json(bytes);
  if (!json.is_object()) return fault.corrupt("it is not one JSON object");
  const std::string* kind = json_text(json, "kind");
  if (kind == nullptr || *kind != kStartsRecordKind) return fault.corrupt("it is another record");
  HF_TRY(check_format_version("times of the next starts", subject, json_version(json),
                              StartsRecord::kVersion));
  HF_TRY(check_seal(bytes, json, fault));
  StartsRecord record;
  const Json* names = json.find("names");
  if (names == nullptr || !names->is_array()) return fault.corrupt("it has no list of names");
  for (const Json& element : *names) {
    if (!element.is_object()) fault.wrong("names");
    if (element.is_object()) record.names.push_back(read_next_start(element, fault));
  }
  if (fault.error) return fail(*std::move(fault.error));
  return record;
}

}  // namespace holdfast
