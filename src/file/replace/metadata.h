// SPDX-License-Identifier: Apache-2.0
//
// What a new file has beside its bytes, wanted and given.
//
// Guarantee: after give_metadata the file has exactly the wanted owner, mode (07777, whatever the
// umask) and attributes, as read back from it; or it is an error, kRefused `meta-not-kept`, that
// says which of them could not be had. Give it before the sync, so that it is durable with the
// content. On Windows owner and mode have no numbers: the access list, the owner's SID, the bits
// and the named streams of the old file are attributes that are kept (os/file/metadata.h); an owner that
// is asked for is kRefused `unsupported`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "file/replace/old_file.h"
#include "file/replace/replace.h"
#include "os/file/metadata.h"

namespace holdfast::file {

struct WantedMeta {
  std::uint32_t mode = 0;
  std::optional<Owner> owner;                            // none: as the file was made
  std::optional<std::vector<os::Attribute>> attributes;  // none: as the file was made
  bool mode_is_asked = false;  // a mode other than the old one also changes an access list

  bool operator==(const WantedMeta&) const = default;
};

// `old` is null where there is none.
Result<WantedMeta> wanted_meta(const ReplaceOptions& options, const OldFile* old);

// Has `old` all that is wanted?
Result<bool> has_metadata(const OldFile& old, const WantedMeta& wanted);

Result<> give_metadata(os::File& file, const WantedMeta& wanted);

// For metadata_linux.cc and metadata_win.cc, which say what counts:

// Without what is not compared: what a change of the mode changes anyway (Linux), and what every
// file has, unless it is wanted (Windows).
std::vector<os::Attribute> comparable_attributes(std::vector<os::Attribute> attributes,
                                                 const WantedMeta& wanted);
// `has` becomes `wanted`.
Result<> set_attributes(os::File& file, const std::vector<os::Attribute>& wanted,
                        const std::vector<os::Attribute>& has);
// Of a file for which attributes are wanted.
Result<bool> has_attributes(const os::File& file, const WantedMeta& wanted);
Result<> check_attributes(const os::File& file, const WantedMeta& wanted);
Error metadata_not_kept(const os::File& file, std::string_view what, std::string_view why);

}  // namespace holdfast::file
