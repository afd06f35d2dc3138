// SPDX-License-Identifier: Apache-2.0
#include "file/ensure/ensure_look.h"

#include <algorithm>
#include <utility>

#include "base/cause.h"
#include "base/path_text.h"
#include "format/text/expand.h"

namespace holdfast::file {
namespace {

Error refusal(const std::string& path, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kRefused,
          .op = "ensure",
          .subject = path,
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

std::string_view word_for(os::FileType type) {
  switch (type) {
    case os::FileType::kRegular:
      return "a file";
    case os::FileType::kDirectory:
      return "a directory";
    default:
      return "neither a file nor a directory";
  }
}

}  // namespace

ParentLook look_for_parent(const std::string& path) {
  ParentLook look;
  std::optional<std::string> not_a_directory;
  for (std::string place = path;; place = std::string(lexical_parent(place))) {
    auto dir = os::Dir::open_without_links(place);
    const bool found = dir.has_value();
    if (found && not_a_directory) {
      look.refusal = refusal(*not_a_directory, "wrong-type",
                             "it is not a directory, so nothing can lie below it");
    } else if (found) {
      (look.missing.empty() ? look.dir : look.above) = std::move(*dir);
    } else if (dir.error().cause == cause::kNotADirectory) {
      not_a_directory = place;  // or something above it; the last one found is it
    } else if (dir.error().code == ErrorCode::kNotFound && !is_root_path(place)) {
      look.missing.insert(look.missing.begin(), place);
    } else {
      look.refusal = std::move(dir).error();
    }
    if (look.refusal || found) return look;
  }
}

std::optional<Ids> owner_of(const ManifestEntry& entry) {
  if (!entry.owner) return std::nullopt;
  const Ids* ids = std::get_if<Ids>(&*entry.owner);
  return ids == nullptr ? std::nullopt : std::optional(*ids);
}

std::string_view name_part(std::string_view path) { return last_component(path); }

std::vector<std::size_t> work_order(const std::vector<ManifestEntry>& entries) {
  struct Key {
    std::string_view parent;
    std::string_view path;
    std::size_t index;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  keys.reserve(entries.size());
  for (const ManifestEntry& entry : entries) {
    keys.push_back({lexical_parent(entry.path), entry.path, keys.size()});
  }
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.index);
  return order;
}

std::set<std::string_view> implied_parents(const std::vector<ManifestEntry>& entries) {
  std::set<std::string_view> implied;
  for (const ManifestEntry& entry : entries) {
    if (!entry.parents) continue;
    std::string_view above = lexical_parent(entry.path);
    while (!is_root_path(above) && implied.insert(above).second) above = lexical_parent(above);
  }
  return implied;
}

std::vector<ManifestEntry> where_they_lie(const std::vector<ManifestEntry>& entries,
                                          const std::vector<Followed>& followed) {
  std::vector<ManifestEntry> placed = entries;
  for (std::size_t i = 0; i < followed.size(); ++i) placed[i].path = followed[i].path;
  return placed;
}

Finding refused(Error error) { return {.found = Found::kRefused, .refusal = std::move(error)}; }

Finding compare(const ManifestEntry& entry, const os::FileInfo& info) {
  if (info.type == os::FileType::kLink) {
    return refused(
        refusal(entry.path, cause::kIsLink,
                "it is a symbolic link; name the real path (`holdfast ensure --links follow` goes "
                "through links that nobody else can change)"));
  }
  const auto wanted =
      entry.type == PathType::kFile ? os::FileType::kRegular : os::FileType::kDirectory;
  if (info.type != wanted) {
    return refused(refusal(entry.path, "wrong-type",
                           "it is " + std::string(word_for(info.type)) + ", and " +
                               std::string(word_for(wanted)) + " is declared; it stays as it is"));
  }
  const Ids is{info.uid, info.gid};
  Finding finding{.owner = is};
  if (info.mode != entry.mode && !entry.any_mode) {
    finding.differences.push_back({"mode", format_mode(info.mode), format_mode(entry.mode)});
  }
  if (const auto owner = owner_of(entry); owner && *owner != is) {
    finding.differences.push_back({"owner", format_ids(is), format_ids(*owner)});
  }
  if (finding.differences.empty()) return finding;
  if (entry.pin && entry.type == PathType::kFile && info.links > 1) {
    return refused(refusal(entry.path, "hard-linked",
                           "it has other names, whose mode and owner would change too; one of "
                           "them may be somebody else's"));
  }
  finding.found = Found::kDrift;
  return finding;
}

}  // namespace holdfast::file
