// SPDX-License-Identifier: Apache-2.0
#include "file/ensure/ensure_look.h"

#include <utility>
#include <vector>

#include "base/path_text.h"
#include "format/text/expand.h"
#include "os/dir/dir.h"
#include "os/dir/dir_metadata.h"

namespace holdfast::file {
namespace {

constexpr std::uint32_t kRead = 4;
constexpr std::uint32_t kSearch = 1;

bool allows(const AccessFacts& facts, Ids user, std::uint32_t bits) {
  const auto has = [&](unsigned shift) { return ((facts.mode >> shift) & bits) == bits; };
  if (user.uid == facts.uid) return has(6);
  if (!facts.gid) return has(3) && has(0);
  return user.gid == *facts.gid ? has(3) : has(0);
}

template <typename Thing>
Result<AccessFacts> facts_of(const Thing& thing) {
  const os::FileInfo info = HF_TRY(thing.info());
  AccessFacts facts{.mode = info.mode, .uid = info.uid, .gid = info.gid};
  facts.has_list = HF_TRY(os::has_access_list(thing));
  return facts;
}

Result<AccessFacts> look_at(const std::string& path, PathType type) {
  if (type == PathType::kDirectory) return facts_of(HF_TRY(os::Dir::open_without_links(path)));
  const auto parent = HF_TRY(os::Dir::open_without_links(std::string(lexical_parent(path))));
  const auto name = HF_TRY(os::SafeName::make(name_part(path)));
  const auto file = HF_TRY(parent.open_file(name, os::Access::kRead));
  if (file) return facts_of(*file);
  return fail({.code = ErrorCode::kNotFound,
               .op = "look at",
               .subject = path,
               .cause = "enoent",
               .detail = "it is not there any more"});
}

// Where we may not look, we cannot tell; that is not a no.
Error cannot_tell(Error error) {
  if (error.code == ErrorCode::kOsRefused) error.code = ErrorCode::kCannotTell;
  return error;
}

}  // namespace

Result<AccessFacts> ReadableProof::facts(const std::string& path, PathType type) {
  if (const auto known = known_.find(path); known != known_.end()) return known->second;
  auto seen = look_at(path, type);
  if (!seen) return fail(cannot_tell(std::move(seen).error()));
  known_.emplace(path, *seen);
  return seen;
}

Result<> ReadableProof::prove(const ManifestEntry& entry, const Followed* followed) {
  if (followed != nullptr) {
    for (const std::string& dir : followed->through) {
      HF_TRY(prove_at(entry, dir, PathType::kDirectory, kSearch));
    }
  }
  const bool is_dir = entry.type == PathType::kDirectory;
  return prove_at(entry, entry.path, entry.type, is_dir ? kRead | kSearch : kRead);
}

Result<> ReadableProof::prove_at(const ManifestEntry& entry, const std::string& path, PathType type,
                                 std::uint32_t last_bits) {
  const Ids user = *entry.readable_by;
  std::vector<std::string> places{path};
  while (!is_root_path(places.back())) places.emplace_back(lexical_parent(places.back()));
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const bool is_last = *place == path;
    const std::uint32_t bits = is_last ? last_bits : kSearch;
    const AccessFacts known = HF_TRY(facts(*place, is_last ? type : PathType::kDirectory));
    if (known.has_list) {
      return fail({.code = ErrorCode::kCannotTell,
                   .op = "tell who can read",
                   .subject = *place,
                   .cause = "access-list",
                   .detail = "it has an access list, which says more than its mode"});
    }
    if (allows(known, user, bits)) continue;
    return fail(
        {.code = ErrorCode::kRefused,
         .op = "let " + format_ids(user) + " read " + entry.path + " because of",
         .subject = *place,
         .cause = "not-readable-by",
         .detail = std::string((bits & kRead) != 0 ? "that user may not read it"
                                                   : "that user may not search this directory") +
                   " (mode " + format_mode(known.mode) + ", owner " + std::to_string(known.uid) +
                   ":" + (known.gid ? std::to_string(*known.gid) : "?") + ")"});
  }
  return {};
}

}  // namespace holdfast::file
