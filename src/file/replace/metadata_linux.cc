// SPDX-License-Identifier: Apache-2.0
//
// The order is owner, attributes, mode: a change of owner clears the set-user-id bits and file
// capabilities, an access list changes the group bits, and the mode must be right in the end.
#include "file/replace/metadata.h"

#include <algorithm>
#include <string>

namespace holdfast::file {
namespace {

constexpr std::uint32_t kNewFile = 0666;

bool has_owner(const os::FileInfo& info, const WantedMeta& wanted) {
  return !wanted.owner || (info.uid == wanted.owner->uid && info.gid == wanted.owner->gid);
}

}  // namespace

std::vector<os::Attribute> comparable_attributes(std::vector<os::Attribute> attributes,
                                                 const WantedMeta& wanted) {
  if (wanted.mode_is_asked) {
    std::erase_if(attributes, [](const os::Attribute& attribute) {
      return attribute.name == os::kAccessListAttribute;
    });
  }
  return attributes;
}

Result<WantedMeta> wanted_meta(const ReplaceOptions& options, const OldFile* old) {
  WantedMeta wanted;
  wanted.owner = options.owner;
  wanted.mode_is_asked = options.mode.has_value();
  const bool keep = options.meta == Meta::kKeep && old != nullptr && old->file.has_value();
  if (keep) {
    if (!wanted.owner) wanted.owner = Owner{.uid = old->info.uid, .gid = old->info.gid};
    wanted.attributes = HF_TRY(os::read_attributes(*old->file));
    wanted.mode = options.mode.value_or(old->info.mode);
  } else {
    if (options.meta == Meta::kPin) wanted.attributes.emplace();
    wanted.mode = options.mode ? *options.mode : kNewFile & ~os::file_mode_mask();
  }
  return wanted;
}

Result<bool> has_metadata(const OldFile& old, const WantedMeta& wanted) {
  if (old.info.mode != wanted.mode || !has_owner(old.info, wanted)) return false;
  if (!wanted.attributes) return true;
  return has_attributes(*old.file, wanted);
}

Result<> give_metadata(os::File& file, const WantedMeta& wanted) {
  if (!has_owner(HF_TRY(file.info()), wanted)) {
    const auto set = os::set_owner(file, wanted.owner->uid, wanted.owner->gid);
    if (!set) return fail(metadata_not_kept(file, "owner", set.error().detail));
  }
  if (wanted.attributes) {
    HF_TRY(set_attributes(file, *wanted.attributes, HF_TRY(os::read_attributes(file))));
  }
  HF_TRY(file.set_mode(wanted.mode));

  const os::FileInfo info = HF_TRY(file.info());
  if (info.mode != wanted.mode) {
    return fail(metadata_not_kept(file, "mode", "the system set another mode than was asked for"));
  }
  if (!has_owner(info, wanted)) {
    return fail(
        metadata_not_kept(file, "owner", "the system set another owner than was asked for"));
  }
  return wanted.attributes ? check_attributes(file, wanted) : Result<>();
}

}  // namespace holdfast::file
