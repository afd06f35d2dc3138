// SPDX-License-Identifier: Apache-2.0
//
// The proof of `readable_by`: could that user reach and read the thing? (ensure.h has the rules.)
//
// Directories are looked at once however many entries lie below them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "file/ensure/ensure_follow.h"
#include "format/file/manifest.h"

namespace holdfast::file {

// Who may do what with a thing. Of one that is only planned the group may be unknown; then both
// what the group may and what others may is asked for.
struct AccessFacts {
  std::uint32_t mode = 0;
  std::uint32_t uid = 0;
  std::optional<std::uint32_t> gid{};
  bool has_list = false;
};
using AccessTable = std::map<std::string, AccessFacts, std::less<>>;

class ReadableProof {
 public:
  // `planned` counts before what is there.
  explicit ReadableProof(AccessTable planned) : known_(std::move(planned)) {}

  // For an entry with readable_by, where it lies; with `followed`, that user can follow the links
  // to it, too. kRefused `not-readable-by`, or kCannotTell, naming the place.
  Result<> prove(const ManifestEntry& entry, const Followed* followed = nullptr);

 private:
  Result<> prove_at(const ManifestEntry& entry, const std::string& path, PathType type,
                    std::uint32_t last_bits);
  Result<AccessFacts> facts(const std::string& path, PathType type);

  AccessTable known_;
};

}  // namespace holdfast::file
