// SPDX-License-Identifier: Apache-2.0
//
// What ensure sees: where the parent of a path is, and how a thing compares with its declaration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "file/ensure/ensure.h"
#include "file/ensure/ensure_follow.h"
#include "format/file/manifest.h"
#include "os/dir/dir.h"

namespace holdfast::file {

// A directory that should be there, no link on the way.
struct ParentLook {
  std::optional<os::Dir> dir{};        // it is, and this is it
  std::vector<std::string> missing{};  // it is not; what is missing, the highest first
  std::optional<os::Dir> above{};      // and the directory in which that would be made
  std::optional<Error> refusal{};      // a link, a thing of another type, or no right to look
};
ParentLook look_for_parent(const std::string& path);

std::optional<Ids> owner_of(const ManifestEntry& entry);
std::string_view name_part(std::string_view path);

// The order of work: a directory comes before what lies in it, and what lies in one directory
// stands together, so that it is opened once.
std::vector<std::size_t> work_order(const std::vector<ManifestEntry>& entries);

// The directories that `parents = true` of some entry has made where they are missing. What lies in
// one may be declared before that entry.
std::set<std::string_view> implied_parents(const std::vector<ManifestEntry>& entries);

// A thing that is there, compared with its declaration.
Finding compare(const ManifestEntry& entry, const os::FileInfo& info);

Finding refused(Error error);

// The entries, each where it lies: `followed` is a plan's. Without any, the entries themselves.
std::vector<ManifestEntry> where_they_lie(const std::vector<ManifestEntry>& entries,
                                          const std::vector<Followed>& followed);

// The proof of `readable_by`: could that user reach and read the thing? (ensure.h has the rules.)
//
// Directories are looked at once however many entries lie below them.

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
