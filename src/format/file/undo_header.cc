// SPDX-License-Identifier: Apache-2.0
#include "format/file/undo_header.h"

#include "format/json/format_version.h"
#include "format/json/json.h"

namespace holdfast {
namespace {

constexpr std::string_view kUndoHeaderKind = "holdfast-undo";

std::unexpected<Error> undo_header_corrupt(std::string_view subject, std::string_view why) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the undo file",
               .subject = std::string(subject),
               .cause = "undo-damaged",
               .detail = std::string(why) + "; it was left as it is"});
}

}  // namespace

std::string encode_undo_header(const UndoHeader& header) {
  Json record;
  record["v"] = UndoHeader::kVersion;
  record["kind"] = kUndoHeaderKind;
  record["boot"] = to_hex(header.boot);
  record["device"] = header.device;
  record["inode"] = header.inode;
  record["mode"] = header.mode;
  record["size"] = header.size;
  record["sha256"] = to_hex(header.sha256);
  return record.dump() + "\n";
}

Result<DecodedUndoHeader> decode_undo_header(std::string_view start, std::string_view subject) {
  const std::size_t end = start.substr(0, kMaxUndoHeaderBytes).find('\n');
  if (end == start.npos) return undo_header_corrupt(subject, "its first line does not end");
  const Json record = parse_json(start.substr(0, end));
  if (!record.is_object())
    return undo_header_corrupt(subject, "its first line is not one JSON object");
  const std::string* kind = json_text(record, "kind");
  if (kind == nullptr || *kind != kUndoHeaderKind)
    return undo_header_corrupt(subject, "it is no undo file of holdfast");
  HF_TRY(check_format_version("undo file", subject, json_version(record), UndoHeader::kVersion));
  const std::string* boot_hex = json_text(record, "boot");
  const auto boot = boot_hex != nullptr ? parse_id128(*boot_hex) : std::nullopt;
  const auto device = json_count(record, "device");
  const auto inode = json_count(record, "inode");
  const auto mode = json_count(record, "mode");
  const auto size = json_count(record, "size");
  const std::string* hex = json_text(record, "sha256");
  const auto digest = hex != nullptr ? parse_digest_hex(*hex) : std::nullopt;
  if (!boot || !device || !inode || !mode || *mode > 07777U || !size || !digest) {
    return undo_header_corrupt(subject, "a field is missing or bad");
  }
  return DecodedUndoHeader{.header = {.boot = *boot,
                                      .device = *device,
                                      .inode = *inode,
                                      .mode = static_cast<std::uint32_t>(*mode),
                                      .size = *size,
                                      .sha256 = *digest},
                           .bytes = end + 1};
}

}  // namespace holdfast
