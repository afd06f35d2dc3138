// SPDX-License-Identifier: Apache-2.0
#include "journal/read/anchor.h"

#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/json/json_version.h"
#include "format/text/rfc3339.h"

namespace holdfast::journal {
namespace {

std::unexpected<Error> anchor_corrupt(std::string_view subject, std::string_view why) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the anchor",
               .subject = std::string(subject),
               .cause = "bad-anchor",
               .detail = std::string(why)});
}

const std::string* text_field(const Json& record, const char* key) {
  const Json* field = record.find(key);
  return field != nullptr ? field->text() : nullptr;
}

}  // namespace

std::string encode_anchor(const Anchor& anchor) {
  return R"({"v":1,"journal":")" + to_hex(anchor.journal) + R"(","seq":)" +
         std::to_string(anchor.seq) + R"(,"head":")" + to_base64url(anchor.head) + R"(","time":")" +
         format_rfc3339(anchor.time) + "\"}\n";
}

Result<Anchor> parse_anchor(std::string_view line, std::string_view subject) {
  const Json record = parse_json(line);
  if (!record.is_object()) return anchor_corrupt(subject, "it is not one JSON object");
  HF_TRY(check_format_version("anchor", subject, json_version(record), Anchor::kVersion));
  const std::string* journal = text_field(record, "journal");
  const auto id = journal != nullptr ? parse_id128(*journal) : std::nullopt;
  if (!id) return anchor_corrupt(subject, "it has no valid journal id");
  const Json* seq = record.find("seq");
  const auto number = seq != nullptr ? seq->count() : std::nullopt;
  if (!number || *number == 0) return anchor_corrupt(subject, "it has no valid number");
  const std::string* head = text_field(record, "head");
  const auto digest = head != nullptr ? parse_digest_base64url(*head) : std::nullopt;
  if (!digest) return anchor_corrupt(subject, "it has no valid head");
  const std::string* time = text_field(record, "time");
  const auto made = time != nullptr ? parse_rfc3339(*time) : std::nullopt;
  if (!made) return anchor_corrupt(subject, "it has no valid time");
  return Anchor{.journal = *id, .seq = *number, .head = *digest, .time = *made};
}

Result<std::vector<Anchor>> parse_anchors(std::string_view text, std::string_view subject) {
  std::vector<Anchor> anchors;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.empty()) continue;
    const std::string place = std::string(subject) + ":" + std::to_string(number);
    anchors.push_back(HF_TRY(parse_anchor(line, place)));
  }
  if (anchors.empty()) return anchor_corrupt(subject, "it holds no anchor; was it cut short?");
  return anchors;
}

}  // namespace holdfast::journal
