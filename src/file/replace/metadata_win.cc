// SPDX-License-Identifier: Apache-2.0
//
// Who may do what is said by the access list, which is one of the attributes here; mode bits and
// numbers of owners are not there. A list that was asked for by a mode is the one that os gives to
// a new file with that mode (os/file/file.h); one that is kept is set entry by entry as it was.
#include <algorithm>
#include <string>

#include "file/replace/metadata.h"

namespace holdfast::file {
namespace {

constexpr std::uint32_t kNewFile = 0666;

using Attributes = std::vector<os::Attribute>;

bool has_name(const Attributes& attributes, std::string_view name) {
  return std::ranges::any_of(attributes,
                             [&](const os::Attribute& other) { return other.name == name; });
}

bool keeps_list(const WantedMeta& wanted) {
  return wanted.attributes && has_name(*wanted.attributes, os::kWindowsAccessList);
}

}  // namespace

// Every file has an access list and an owner. They count where they are wanted, and are no
// attributes too many where they are not.
Attributes comparable_attributes(Attributes attributes, const WantedMeta& wanted) {
  std::erase_if(attributes, [&](const os::Attribute& attribute) {
    const bool always_there =
        attribute.name == os::kWindowsAccessList || attribute.name == os::kWindowsOwner;
    return always_there && !has_name(*wanted.attributes, attribute.name);
  });
  return attributes;
}

Result<WantedMeta> wanted_meta(const ReplaceOptions& options, const OldFile* old) {
  if (options.owner) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "give an owner to",
                 .subject = "the new file",
                 .cause = "unsupported",
                 .detail = "an owner by name or number is not offered on Windows; nothing was "
                           "changed"});
  }
  WantedMeta wanted;
  wanted.mode_is_asked = options.mode.has_value();
  const bool keep = options.meta == Meta::kKeep && old != nullptr && old->file.has_value();
  if (keep) {
    wanted.attributes = HF_TRY(os::read_attributes(*old->file));
    if (options.mode) {
      std::erase_if(*wanted.attributes, [](const os::Attribute& attribute) {
        return attribute.name == os::kWindowsAccessList;
      });
    }
    wanted.mode = options.mode.value_or(0);  // the list says it
  } else {
    if (options.meta == Meta::kPin) wanted.attributes.emplace();
    wanted.mode = options.mode.value_or(kNewFile);
  }
  return wanted;
}

Result<bool> has_metadata(const OldFile& old, const WantedMeta& wanted) {
  if (!keeps_list(wanted) &&
      HF_TRY(os::shown_mode(*old.file, old.info, wanted.mode)) != wanted.mode) {
    return false;
  }
  if (!wanted.attributes) return true;
  return has_attributes(*old.file, wanted);
}

Result<> give_metadata(os::File& file, const WantedMeta& wanted) {
  if (!keeps_list(wanted)) {
    HF_TRY(file.set_mode(wanted.mode));
    const os::FileInfo info = HF_TRY(file.info());
    if (HF_TRY(os::shown_mode(file, info, wanted.mode)) != wanted.mode) {
      return fail(metadata_not_kept(file, "access", "others may do more than was asked for"));
    }
  }
  if (!wanted.attributes) return {};
  auto has = comparable_attributes(HF_TRY(os::read_attributes(file)), wanted);
  HF_TRY(set_attributes(file, *wanted.attributes, has));
  return check_attributes(file, wanted);
}

}  // namespace holdfast::file
