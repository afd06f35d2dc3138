// SPDX-License-Identifier: Apache-2.0
//
// The hostile case: between the look and the copy, somebody replaces `config` by a link to a key of
// the user's, or a directory by one of theirs; the session would get a copy of the key. So what was
// looked at is named by device and inode, each step opens without following, and what was opened is
// compared with what was seen, before its first byte is read and after its last.
//
// Why `..` only at the beginning of a link: `a/b/../../..` counts as many steps up as down, but if
// `a/b` is itself a link to a place near the top, the kernel goes up from there, and out. Steps up
// at the beginning start from the directory that the link really lies in. The names that follow may
// lead through other links, each of which stays inside by the same rule.
#include "file/tree/copy_tree.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/cause.h"
#include "base/path_text.h"
#include "file/replace/copy.h"
#include "os/dir/dir.h"
#include "os/dir/dir_metadata.h"
#include "os/dir/dir_names.h"
#include "os/file/metadata.h"

namespace holdfast::file {
namespace {

std::unexpected<Error> copy_tree_refused(std::string path, std::string_view cause,
                                         std::string_view why) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "copy",
               .subject = std::move(path),
               .cause = std::string(cause),
               .detail = std::string(why) + "; nothing was copied"});
}

std::unexpected<Error> changed(std::string path) {
  return fail({.code = ErrorCode::kBusy,
               .op = "copy",
               .subject = std::move(path),
               .cause = cause::kChangedMeanwhile,
               .detail = "somebody changed it while it was copied; nothing of the copy is kept"});
}

bool same(const os::FileInfo& one, const os::FileInfo& other) {
  return one.type == other.type && one.id == other.id && one.size == other.size &&
         one.mode == other.mode && one.modified == other.modified && one.changed == other.changed;
}

// ---- the look ---------------------------------------------------------------------------------

class CopyTreePlanner {
 public:
  explicit CopyTreePlanner(const IsReserved& reserved) : reserved_(reserved) {}

  Result<TreePlan> plan(const os::Dir& source) {
    plan_.seen = HF_TRY(source.info());
    plan_.entries = HF_TRY(look_into(source, 0));
    return std::move(plan_);
  }

 private:
  Result<std::vector<TreeEntry>> look_into(const os::Dir& dir, std::size_t depth) {
    if (depth > kMaxTreeDepth) {
      return copy_tree_refused(
          dir.path(), "too-deep",
          "it lies more than " + std::to_string(kMaxTreeDepth) + " levels deep");
    }
    std::vector<std::string> names;
    HF_TRY(dir.each_entry([&](std::string_view name, os::FileType) {
      names.emplace_back(name);
      return ++plan_.count > kMaxTreeEntries ? os::Visit::kStop : os::Visit::kContinue;
    }));
    if (plan_.count > kMaxTreeEntries) {
      return copy_tree_refused(
          dir.path(), "too-many",
          "with it there are more than " + std::to_string(kMaxTreeEntries) + " entries");
    }
    std::vector<TreeEntry> entries;
    entries.reserve(names.size());
    for (const std::string& name : names) entries.push_back(HF_TRY(look_at(dir, name, depth)));
    return entries;
  }

  Result<TreeEntry> look_at(const os::Dir& dir, const std::string& text, std::size_t depth) {
    TreeEntry entry{.name = HF_TRY(os::SafeName::make(text))};
    const std::string path = dir.path_of(entry.name);
    if (depth == 0 && reserved_ && reserved_(text)) {
      return copy_tree_refused(path, "reserved-name",
                               "the session has a file of its own under this name");
    }
    const auto seen = HF_TRY(dir.info(entry.name));
    if (!seen) return changed(path);
    entry.seen = *seen;
    switch (seen->type) {
      case os::FileType::kRegular:
        HF_TRY(look_at_file(dir, entry));
        break;
      case os::FileType::kDirectory:
        HF_TRY(look_at_dir(dir, entry, depth));
        break;
      case os::FileType::kLink:
        HF_TRY(look_at_link(dir, entry, depth));
        break;
      case os::FileType::kOther:
      case os::FileType::kUnknown:
        return copy_tree_refused(path, "special-file", "it is a socket, a FIFO or a device");
    }
    return entry;
  }

  Result<> look_at_file(const os::Dir& dir, TreeEntry& entry) {
    if (os::fixity(dir, entry.name).mount_point) return mounted(dir.path_of(entry.name));
    const auto file = HF_TRY(dir.open_file(entry.name, os::Access::kRead));
    if (!file || !same(HF_TRY(file->info()), entry.seen)) return changed(dir.path_of(entry.name));
    entry.access_list = HF_TRY(os::has_access_list(*file));
    plan_.bytes += entry.seen.size;
    return {};
  }

  Result<> look_at_dir(const os::Dir& parent, TreeEntry& entry, std::size_t depth) {
    const os::Dir dir = HF_TRY(parent.open_dir(entry.name));
    const os::FileInfo opened = HF_TRY(dir.info());
    // A mount hides what the name was seen to be: its own device and inode are others.
    const bool mount = opened.id.device != plan_.seen.id.device || os::fixity(dir).mount_point;
    if (mount) return mounted(dir.path());
    if (!same(opened, entry.seen)) return changed(dir.path());
    entry.access_list = HF_TRY(os::has_access_list(dir));
    entry.below = HF_TRY(look_into(dir, depth + 1));
    return {};
  }

  static Result<> look_at_link(const os::Dir& dir, TreeEntry& entry, std::size_t depth) {
    const std::string path = dir.path_of(entry.name);
    auto target = HF_TRY(dir.read_link(entry.name));
    if (!target) return changed(path);
    if (!link_stays_inside(*target, depth)) {
      return copy_tree_refused(
          path, "unsafe-link",
          "it is a link to '" + *target +
              "'; only relative links that stay inside are copied, with `..` at their "
              "beginning only");
    }
    entry.target = *std::move(target);
    return {};
  }

  static std::unexpected<Error> mounted(std::string path) {
    return copy_tree_refused(std::move(path), "is-mount", "another file system is mounted there");
  }

  const IsReserved& reserved_;
  TreePlan plan_;
};

// ---- the copy ---------------------------------------------------------------------------------

// Where something has the name already, it is not ours to write into.
std::unexpected<Error> taken(const os::Dir& target, const os::SafeName& name) {
  return fail({.code = ErrorCode::kBusy,
               .op = "make the copy",
               .subject = target.path_of(name),
               .cause = cause::kNameTaken,
               .detail = "something has this name already"});
}

Result<> copy_file(const os::Dir& source, const TreeEntry& entry, const os::Dir& target) {
  const auto from = HF_TRY(source.open_file(entry.name, os::Access::kRead));
  if (!from || !same(HF_TRY(from->info()), entry.seen)) return changed(source.path_of(entry.name));
  auto to = HF_TRY(target.create_file(entry.name, kPrivateFile));
  if (!to) return taken(target, entry.name);
  HF_TRY(copy_content(*from, 0, entry.seen.size, *to));
  if (!same(HF_TRY(from->info()), entry.seen)) return changed(source.path_of(entry.name));
  return to->close();
}

Result<> copy_link(const os::Dir& source, const TreeEntry& entry, const os::Dir& target) {
  const auto now = HF_TRY(source.read_link(entry.name));
  if (!now || *now != entry.target) return changed(source.path_of(entry.name));
  if (HF_TRY(os::make_link(target, entry.name, entry.target)) == os::Placed::kNameTaken) {
    return taken(target, entry.name);
  }
  return {};
}

Result<> copy_entries(const os::Dir& source, const os::FileInfo& seen,
                      const std::vector<TreeEntry>& entries, const os::Dir& target) {
  if (!same(HF_TRY(source.info()), seen)) return changed(source.path());
  for (const TreeEntry& entry : entries) {
    if (entry.seen.type == os::FileType::kRegular) {
      HF_TRY(copy_file(source, entry, target));
    } else if (entry.seen.type == os::FileType::kLink) {
      HF_TRY(copy_link(source, entry, target));
    } else {
      const os::Dir from = HF_TRY(source.open_dir(entry.name));
      if (HF_TRY(target.make_dir(entry.name, kPrivateDir)) == os::Made::kAlreadyThere) {
        return taken(target, entry.name);
      }
      const os::Dir to = HF_TRY(target.open_dir(entry.name));
      HF_TRY(copy_entries(from, entry.seen, entry.below, to));
    }
  }
  // A name that came meanwhile would be missing in the copy.
  if (!same(HF_TRY(source.info()), seen)) return changed(source.path());
  return {};
}

// ---- modes, and the disk ----------------------------------------------------------------------

Result<> settle_entries(const std::vector<TreeEntry>& entries, const os::Dir& target,
                        os::Durability durability);

Result<> settle(const TreeEntry& entry, const os::Dir& target, os::Durability durability) {
  const auto mode_for = [&](const os::FileInfo& copy) {
    return copied_mode(entry.seen.mode, copy.gid == entry.seen.gid, entry.access_list);
  };
  if (entry.seen.type == os::FileType::kDirectory) {
    const os::Dir dir = HF_TRY(target.open_dir(entry.name));
    HF_TRY(settle_entries(entry.below, dir, durability));
    HF_TRY(os::set_mode(dir, mode_for(HF_TRY(dir.info()))));
    return durability == os::Durability::kFull ? dir.sync() : Result<>();
  }
  if (entry.seen.type != os::FileType::kRegular) return {};
  auto file = HF_TRY(target.open_file(entry.name, os::Access::kReadWrite));
  if (!file) return changed(target.path_of(entry.name));
  HF_TRY(file->set_mode(mode_for(HF_TRY(file->info()))));
  return durability == os::Durability::kFull ? file->sync() : Result<>();
}

Result<> settle_entries(const std::vector<TreeEntry>& entries, const os::Dir& target,
                        os::Durability durability) {
  for (const TreeEntry& entry : entries) HF_TRY(settle(entry, target, durability));
  return {};
}

void remove_entries(const std::vector<TreeEntry>& entries, const os::Dir& target) {
  for (const TreeEntry& entry : entries) {
    if (entry.seen.type != os::FileType::kDirectory) {
      [[maybe_unused]] const auto removed = target.remove_file(entry.name);
      continue;
    }
    if (const auto dir = target.open_dir(entry.name)) {
      // It may have got its mode already, and not let its owner write.
      [[maybe_unused]] const auto opened_up = os::set_mode(*dir, kPrivateDir);
      remove_entries(entry.below, *dir);
    }
    [[maybe_unused]] const auto removed = target.remove_dir(entry.name);
  }
}

}  // namespace

bool link_stays_inside(std::string_view target, std::size_t depth) {
  if (target.empty() || is_rooted_path(target)) return false;
  bool at_beginning = true;
  while (!target.empty()) {
    const std::size_t end = std::min(target.find('/'), target.size());
    const std::string_view step = target.substr(0, end);
    target.remove_prefix(std::min(end + 1, target.size()));
    if (step == "..") {
      if (!at_beginning || depth == 0) return false;
      --depth;
    } else if (!step.empty() && step != ".") {
      at_beginning = false;
    }
  }
  return true;
}

std::uint32_t copied_mode(std::uint32_t mode, bool same_group, bool access_list) {
  constexpr std::uint32_t kOwner = 0700;
  constexpr std::uint32_t kRead = 0044;
  mode &= 0777U;
  if (access_list) return mode & kOwner;
  // Whoever is in another group may do what everybody may, and no more.
  if (!same_group) mode &= ~0070U | ((mode & 0007U) << 3U);
  return (mode & kRead) == 0 ? mode & kOwner : mode;
}

Result<TreePlan> plan_tree(const os::Dir& source, const IsReserved& reserved) {
  return CopyTreePlanner(reserved).plan(source);
}

Result<> copy_tree(const os::Dir& source, const TreePlan& plan, const os::Dir& target,
                   os::Durability durability) {
  HF_TRY(copy_entries(source, plan.seen, plan.entries, target));
  return settle_entries(plan.entries, target, durability);
}

void remove_copy(const TreePlan& plan, const os::Dir& target) {
  remove_entries(plan.entries, target);
}

}  // namespace holdfast::file
