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

}  // namespace holdfast::file
