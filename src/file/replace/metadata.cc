// SPDX-License-Identifier: Apache-2.0
#include "file/replace/metadata.h"

#include <algorithm>

#include "base/cause.h"

namespace holdfast::file {

Error metadata_not_kept(const os::File& file, std::string_view what, std::string_view why) {
  return {.code = ErrorCode::kRefused,
          .op = "give the new file the same " + std::string(what) + " as",
          .subject = file.path(),
          .cause = cause::kMetaNotKept,
          .detail = std::string(why) + "; nothing was changed (--meta pin does without it)"};
}

Result<> set_attributes(os::File& file, const std::vector<os::Attribute>& wanted,
                        const std::vector<os::Attribute>& has) {
  for (const os::Attribute& attribute : has) {
    const bool stays = std::ranges::any_of(
        wanted, [&](const os::Attribute& other) { return other.name == attribute.name; });
    if (stays) continue;
    const auto removed = os::remove_attribute(file, attribute.name);
    if (!removed) return fail(metadata_not_kept(file, attribute.name, removed.error().detail));
  }
  for (const os::Attribute& attribute : wanted) {
    if (std::ranges::find(has, attribute) != has.end()) continue;
    const auto set = os::set_attribute(file, attribute);
    if (!set) return fail(metadata_not_kept(file, attribute.name, set.error().detail));
  }
  return {};
}

Result<bool> has_attributes(const os::File& file, const WantedMeta& wanted) {
  return comparable_attributes(HF_TRY(os::read_attributes(file)), wanted) ==
         comparable_attributes(*wanted.attributes, wanted);
}

Result<> check_attributes(const os::File& file, const WantedMeta& wanted) {
  if (HF_TRY(has_attributes(file, wanted))) return {};
  return fail(metadata_not_kept(file, "attributes", "what was set reads back differently"));
}

}  // namespace holdfast::file
