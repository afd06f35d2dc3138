// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/outside_claims.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/path_text.h"
#include "os/dir/dir_metadata.h"
#include "os/path/path.h"
#include "session/record/layout.h"
#include "session/workspace/outside.h"

namespace holdfast::session {
namespace {

std::string parent_of(const std::string& path) { return std::string(parent_path(path)); }

// The path, and the directory where it can be opened: what nobody here may look into is known by
// its path alone.
using Above = std::function<Result<>(const std::string& path, const os::Dir* dir)>;

// The directory and everything above it. Above the beginning of a bind mount that is both the place
// where it is mounted and what holds the mounted directory in its file system, so there may be more
// than one way up; none is gone twice.
Result<> each_above(const os::MountTable& mounts, const os::Dir& dir, const Above& visit) {
  std::vector<std::string> ways{HF_TRY(os::real_path_of(dir))};
  std::set<std::string> seen;
  while (!ways.empty()) {
    std::string path = std::move(ways.back());
    ways.pop_back();
    // Until there, all of it is one mount.
    for (std::optional<std::string> point; seen.insert(path).second; path = parent_of(path)) {
      const auto above = os::Dir::open(path);
      if (!above && above.error().code != ErrorCode::kOsRefused) return fail(above.error());
      HF_TRY(visit(path, above ? &*above : nullptr));
      if (above && !point) {
        os::MountPlace place = HF_TRY(mounts.place_of(*above));
        point = std::move(place.point);
        ways.insert(ways.end(), place.fuller.begin(), place.fuller.end());
      }
      if (is_root_path(path)) break;
      if (path == point) point.reset();
    }
  }
  return {};
}

}  // namespace

Result<OutsideClaims::Link> OutsideClaims::link_of(const os::Dir& dir) {
  Link link;
  link.id = HF_TRY(dir.info()).id;
  link.birth_ns = HF_TRY(os::birth_time_of(dir));
  return link;
}

Result<OutsideClaims::Way> OutsideClaims::way_of(const os::Dir& dir) const {
  Way way{.links = {HF_TRY(link_of(dir))}};
  const auto add = [&](const std::string& path, const os::Dir* above) -> Result<> {
    way.paths.push_back(path);
    if (above != nullptr) way.links.push_back(HF_TRY(link_of(*above)));
    return {};
  };
  HF_TRY(each_above(mounts_, dir, add));
  return way;
}

Result<OutsideClaims::Claim> OutsideClaims::claim_of(const OutsideEntry& entry) const {
  Claim claim{
      .id = entry.id,
      .whose = "'" + entry.name + "'",
      .link = {.id = {.device = entry.device, .inode = entry.inode}, .birth_ns = entry.birth_ns}};
  const auto dir = os::Dir::open(entry.directory);
  if (!dir && dir.error().code != ErrorCode::kNotFound) {
    claim.only_path = entry.directory;
    return claim;
  }
  if (dir && HF_TRY(is_directory_of(entry, *dir))) {
    claim.way = HF_TRY(way_of(*dir));
    return claim;
  }
  // In the trash beside its place, from where it can be brought back.
  const std::string_view base = last_component(entry.directory);
  const std::string trash = join_path(parent_path(entry.directory), trash_dir_name().text());
  const auto trashed = os::Dir::open(join_path(trash, HF_TRY(trash_name(base, entry.id)).str()));
  if (trashed && HF_TRY(is_directory_of(entry, *trashed))) claim.way = HF_TRY(way_of(*trashed));
  return claim;
}

Result<OutsideClaims> OutsideClaims::read(const SessionStore& store) {
  OutsideClaims claims;
  claims.mounts_ = HF_TRY(os::MountTable::read());
  const std::string sessions = HF_TRY(os::real_path_of(store.dir()));
  const os::Dir home = HF_TRY(os::Dir::open(parent_of(sessions)));
  Claim own{.whose = "the home"};
  own.way = HF_TRY(claims.way_of(home));
  own.link = own.way->links.front();
  claims.add(std::move(own));
  for (const OutsideEntry& entry : HF_TRY(list_outside(store))) {
    auto claim = claims.claim_of(entry);
    if (claim) {
      claims.add(*std::move(claim));
      continue;
    }
    // It went, or cannot be looked at: its path speaks for it.
    claims.add({.id = entry.id, .whose = "'" + entry.name + "'", .only_path = entry.directory});
  }
  return claims;
}

bool OutsideClaims::is_same(const Link& one, const Link& other) {
  if (one.id != other.id || one.id.inode == 0) return false;
  return one.birth_ns == 0 || other.birth_ns == 0 || one.birth_ns == other.birth_ns;
}

bool OutsideClaims::holds(const Way& way, const Link& link) {
  return std::ranges::any_of(way.links, [&](const Link& one) { return is_same(one, link); });
}

void OutsideClaims::add(Claim claim) {
  const std::size_t at = claims_.size();
  owners_[claim.link.id].push_back(at);
  if (claim.way) {
    for (const Link& link : claim.way->links) inside_[link.id].push_back(at);
  }
  if (!claim.only_path.empty()) by_path_.push_back(at);
  claims_.push_back(std::move(claim));
}

bool OutsideClaims::collides(const Claim& claim, const Way& way, bool below_too) {
  const bool by_path = !claim.only_path.empty();
  const auto is_of_path = [&](const std::string& path) {
    return is_at_or_below(path, claim.only_path);
  };
  if (holds(way, claim.link) || (by_path && std::ranges::any_of(way.paths, is_of_path)))
    return true;
  if (!below_too) return false;
  return (claim.way && holds(*claim.way, way.links.front())) ||
         (by_path && is_at_or_below(claim.only_path, way.paths.front()));
}

std::optional<std::string> OutsideClaims::conflict(const Way& way, const Id128& self,
                                                   bool below_too) const {
  std::vector<std::size_t> near = by_path_;
  const auto take = [&](const auto& index, const os::FileId& id) {
    const auto found = index.find(id);
    if (found != index.end()) near.insert(near.end(), found->second.begin(), found->second.end());
  };
  for (const Link& link : way.links) take(owners_, link.id);
  take(inside_, way.links.front().id);
  for (const std::size_t at : near) {
    if (claims_[at].id != self && collides(claims_[at], way, below_too)) return claims_[at].whose;
  }
  return std::nullopt;
}

Result<std::optional<std::string>> OutsideClaims::other_at(const os::Dir& dir,
                                                           const Id128& self) const {
  return conflict(HF_TRY(way_of(dir)), self, true);
}

Result<bool> lies_in_some_home(const os::Dir& dir) {
  const auto has = [](const os::Dir& in, std::string_view name, os::FileType type) -> Result<bool> {
    const auto info = HF_TRY(in.info(HF_TRY(os::SafeName::make(name))));
    return info && info->type == type;
  };
  bool found = false;
  // What nobody here may look into is no home of this user's.
  const auto look = [&](const std::string&, const os::Dir* above) -> Result<> {
    found = found || (above != nullptr && HF_TRY(has(*above, "format", os::FileType::kRegular)) &&
                      HF_TRY(has(*above, "sessions", os::FileType::kDirectory)));
    return {};
  };
  HF_TRY(each_above(HF_TRY(os::MountTable::read()), dir, look));
  return found;
}

Result<bool> lies_in_another_homes(const SessionStore& store, const os::Dir& dir) {
  bool found = false;
  const auto look = [&](const std::string&, const os::Dir* above) -> Result<> {
    found = found || (above != nullptr && HF_TRY(other_home_of(store, *above)));
    return {};
  };
  HF_TRY(each_above(HF_TRY(os::MountTable::read()), dir, look));
  return found;
}

Result<std::optional<std::string>> OutsideClaims::other_above(const os::Dir& parent,
                                                              const Id128& self) const {
  return conflict(HF_TRY(way_of(parent)), self, false);
}

}  // namespace holdfast::session
