// SPDX-License-Identifier: Apache-2.0
#include "cli/workspace/harness_changes.h"

#include <algorithm>

#include "cli/frame/option_value.h"
#include "cli/workspace/harness_authority.h"
#include "cli/workspace/harness_fields.h"

namespace holdfast::cli {

void HarnessChanges::apply(HarnessRecord& record) const {
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

std::vector<std::string> HarnessChanges::keys() const {
  std::vector<std::string> keys = unset;
  for (const auto& field : set) keys.push_back(field.first);
  if (authority || no_authority) keys.emplace_back("authority");
  if (resume_id) keys.emplace_back("resume-id");
  if (ttl || no_ttl) keys.emplace_back("ttl");
  return keys;
}

Result<HarnessChanges> changes_of(const Args& args) {
  HarnessChanges changes;
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
