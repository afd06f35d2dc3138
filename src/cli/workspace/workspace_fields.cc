// SPDX-License-Identifier: Apache-2.0
#include "cli/workspace/workspace_fields.h"

#include <algorithm>
#include <array>

#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "cli/workspace/workspace_authority.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kMaxKey = 64;
constexpr std::size_t kMaxResumeId = 1024;
constexpr std::array<std::string_view, 5> kFacts{"authority", "dir", "name", "resume-id", "state"};

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20U || byte == 0x7FU;
}

Error bad_field(std::string_view typed, std::string why) {
  return usage_error("bad-field", "use the field", "'" + std::string(typed) + "'", std::move(why));
}

// kUsage `bad-field`.
Result<> check_key(std::string_view key) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  if (key.empty() || key.size() > kMaxKey || key.find_first_not_of(kAllowed) != key.npos) {
    return fail(bad_field(key, "a key is 1 to 64 letters, digits, `.`, `_`, `-`"));
  }
  if (std::ranges::find(kFacts, key) != kFacts.end()) {
    return fail(bad_field(key,
                          "this word means something else; the options of `workspace set` set "
                          "the resume id and the authority"));
  }
  return {};
}

Result<std::pair<std::string, std::string>> parse_field(std::string_view typed) {
  const std::size_t equals = typed.find('=');
  if (equals == typed.npos) return fail(bad_field(typed, "it is KEY=VALUE"));
  HF_TRY(check_key(typed.substr(0, equals)));
  return std::pair(std::string(typed.substr(0, equals)), std::string(typed.substr(equals + 1)));
}

}  // namespace

Result<std::optional<std::string>> resume_id_option(const Args& args) {
  const auto id = args.text("resume-id");
  if (!id) return std::nullopt;
  if (id->empty() || id->size() > kMaxResumeId || std::ranges::any_of(*id, is_control)) {
    return bad_value("resume-id", *id, "it is one line of 1 to 1024 bytes");
  }
  return *id;
}

Result<> check_prefix(const Args& args) {
  const auto prefix = args.text("prefix");
  if (!prefix) return {};
  if (!args.arguments().empty()) return bad_value("prefix", *prefix, "with a NAME there is none");
  if (prefix->empty()) return bad_value("prefix", *prefix, "it is not empty");
  return {};
}

Result<std::optional<Duration>> ttl_option(const Args& args) {
  const auto ttl = args.duration("ttl");
  if (ttl && *ttl <= Duration::zero()) return bad_value("ttl", "0", "it would be over at once");
  return ttl;
}

namespace {

// A field of workspace_json, as people type and compare it; nullopt: there is none, or it is null.
std::optional<std::string> json_fact_of(const WorkspaceFacts& facts, std::string_view key) {
  const Json json = workspace_json(facts);
  const auto found = json.find(std::string(key));
  if (found == nullptr || found->is_null()) return std::nullopt;
  if (auto text = bytes_from_json(*found)) return text;
  return found->dump();
}

}  // namespace

std::optional<std::string> fact_of(const WorkspaceFacts& facts, std::string_view key) {
  const WorkspaceRecord& record = facts.record;
  if (key == "dir") return facts.directory;
  if (key == "name") return record.name;
  if (key == "state") return std::string(to_text(record.state));
  if (key == "resume-id") return record.resume_id;
  if (key == "authority") {
    if (!record.authority) return std::nullopt;
    return to_text(*record.authority);
  }
  const auto found = std::ranges::find(
      record.fields, key, [](const auto& field) { return std::string_view(field.first); });
  if (found == record.fields.end()) return json_fact_of(facts, key);
  return found->second;
}

void WorkspaceChanges::apply(WorkspaceRecord& record) const {
  for (const std::string& key : unset) {
    std::erase_if(record.fields, [&](const auto& field) { return field.first == key; });
  }
  for (const auto& [key, value] : set) {
    const auto found = std::ranges::find(record.fields, key, [](const auto& f) { return f.first; });
    if (found == record.fields.end()) {
      record.fields.emplace_back(key, value);
    } else {
      found->second = value;
    }
  }
  if (authority || no_authority) record.authority = authority;
  if (resume_id) record.resume_id = resume_id;
  if (ttl || no_ttl) record.ttl = ttl;
}

std::vector<std::string> WorkspaceChanges::keys() const {
  std::vector<std::string> keys = unset;
  for (const auto& field : set) keys.push_back(field.first);
  if (authority || no_authority) keys.emplace_back("authority");
  if (resume_id) keys.emplace_back("resume-id");
  if (ttl || no_ttl) keys.emplace_back("ttl");
  return keys;
}

Result<WorkspaceChanges> changes_of(const Args& args) {
  WorkspaceChanges changes;
  for (std::size_t i = 1; i < args.arguments().size(); ++i) {
    changes.set.push_back(HF_TRY(parse_field(args.arguments()[i])));
  }
  changes.unset = args.texts("unset");
  for (const std::string& key : changes.unset) HF_TRY(check_key(key));
  changes.no_authority = args.flag("no-authority");
  changes.no_ttl = args.flag("no-ttl");
  changes.ttl = HF_TRY(ttl_option(args));
  if (changes.no_authority && args.text("authority")) {
    return bad_value("no-authority", "", "it contradicts --authority");
  }
  if (changes.no_ttl && changes.ttl) return bad_value("no-ttl", "", "it contradicts --ttl");
  changes.resume_id = HF_TRY(resume_id_option(args));
  changes.authority = HF_TRY(authority_option(args));
  return changes;
}

}  // namespace holdfast::cli
