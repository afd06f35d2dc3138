// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/outside.h"

#include <algorithm>

#include "base/path_text.h"
#include "format/session/workspace_record.h"
#include "os/dir/dir_metadata.h"
#include "os/file/staged_file.h"
#include "os/lock/dir_lock.h"
#include "os/path/path.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"

namespace holdfast::session {
namespace {

os::SafeName file_of(const Id128& id) { return *os::SafeName::make(to_hex(id)); }

Result<std::optional<OutsideEntry>> read_entry(const os::Dir& list, const os::SafeName& name,
                                               const Id128& id) {
  const auto file = HF_TRY(open_own_file(list, name));
  if (!file) return std::nullopt;
  const std::string bytes = HF_TRY(file->read_at(0, kMaxOutsideEntryBytes + 1));
  OutsideEntryRecord read = HF_TRY(decode_outside_entry(bytes, file->path()));
  if (read.id == id) {
    return OutsideEntry{.id = read.id,
                        .name = std::move(read.name),
                        .directory = std::move(read.directory),
                        .device = read.device,
                        .inode = read.inode,
                        .birth_ns = read.birth_ns};
  }
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read which directories outside belong to workspaces",
               .subject = file->path(),
               .cause = "bad-outside-entry",
               .detail = "it is of another workspace than its name says; it was left as it is"});
}

}  // namespace

Result<> write_outside(const SessionStore& store, const OutsideEntry& entry) {
  const os::Dir list = HF_TRY(open_or_make_own_dir(store.dir(), outside_list_name()));
  const std::string bytes = encode_outside_entry({.id = entry.id,
                                                  .name = entry.name,
                                                  .directory = entry.directory,
                                                  .device = entry.device,
                                                  .inode = entry.inode,
                                                  .birth_ns = entry.birth_ns});
  HF_TRY(replace_own_file(list, file_of(entry.id), bytes, os::Durability::kFull));
  return store.dir().sync();  // the list itself may be new
}

Result<std::optional<OutsideEntry>> find_outside(const SessionStore& store, const Id128& id) {
  const auto list = HF_TRY(open_own_dir(store.dir(), outside_list_name()));
  if (!list) return std::nullopt;
  return read_entry(*list, file_of(id), id);
}

Result<std::vector<OutsideEntry>> list_outside(const SessionStore& store) {
  std::vector<OutsideEntry> entries;
  const auto list = HF_TRY(open_own_dir(store.dir(), outside_list_name()));
  if (!list) return entries;
  std::vector<std::string> names;
  HF_TRY(list->each_entry([&](std::string_view name, os::FileType) {
    // What a death over a write left is no entry yet.
    if (!os::is_stage_name(name)) names.emplace_back(name);
    return os::Visit::kContinue;
  }));
  std::ranges::sort(names);
  for (const std::string& name : names) {
    const auto id = parse_id128(name);
    if (!id) {
      return fail({.code = ErrorCode::kCorrupt,
                   .op = "read which directories outside belong to workspaces",
                   .subject = join_path(list->path(), name),
                   .cause = "bad-outside-entry",
                   .detail = "it has not the name of an entry; it was left as it is"});
    }
    auto entry = HF_TRY(read_entry(*list, file_of(*id), *id));
    if (entry) entries.push_back(*std::move(entry));
  }
  return entries;
}

Result<> remove_outside(const SessionStore& store, const Id128& id) {
  const auto list = HF_TRY(open_own_dir(store.dir(), outside_list_name()));
  if (!list) return {};
  HF_TRY(list->remove_file(file_of(id)));
  return {};
}

Result<std::optional<WallTime>> outside_written(const SessionStore& store, const Id128& id) {
  const auto list = HF_TRY(open_own_dir(store.dir(), outside_list_name()));
  if (!list) return std::nullopt;
  const auto info = HF_TRY(list->info(file_of(id)));
  if (!info) return std::nullopt;
  return info->changed;
}

Result<bool> is_directory_of(const OutsideEntry& entry, const os::Dir& dir) {
  const os::FileId id = HF_TRY(dir.info()).id;
  if (id.device != entry.device || id.inode != entry.inode) return false;
  if (entry.birth_ns == 0) return true;
  const std::int64_t birth = HF_TRY(os::birth_time_of(dir));
  if (birth != 0) return birth == entry.birth_ns;
  return fail({.code = ErrorCode::kCannotTell,
               .op = "recognise",
               .subject = dir.path(),
               .cause = "no-birth-time",
               .detail = "its file system does not tell any more when it was made"});
}

Result<std::optional<OutsideEntry>> confirmed_outside(const SessionStore& store,
                                                      const WorkspaceRecord& record) {
  if (!record.outside) return std::nullopt;
  auto entry = HF_TRY(find_outside(store, record.id));
  if (!entry) return std::nullopt;
  const bool same = entry->name == record.name && entry->directory == record.directory &&
                    entry->device == record.device && entry->inode == record.inode;
  if (!same) return std::nullopt;
  return entry;
}

namespace {

constexpr Duration kOwnerMarkPatience = std::chrono::seconds(1);

// `directory` of the entry is that of the home's workspaces, here.
Result<OutsideEntryRecord> owner_of(const os::Dir& dir, const std::string& mark) {
  return decode_outside_entry(mark, "the mark of " + dir.path());
}

Result<bool> is_meant(const OutsideEntryRecord& owner, const os::Dir& dir) {
  const os::FileId id = HF_TRY(dir.info()).id;
  return owner.inode == id.inode && owner.birth_ns == HF_TRY(os::birth_time_of(dir));
}

// A home that cannot be looked at may have it.
bool may_have(const OutsideEntryRecord& owner) {
  auto sessions = os::Dir::open(owner.directory);
  if (!sessions) return true;
  const auto entry = find_outside(SessionStore(*std::move(sessions)), owner.id);
  return !entry || entry->has_value();
}

std::unexpected<Error> not_ours(const os::Dir& dir, const std::string& home) {
  return fail({.code = ErrorCode::kRefused,
               .op = "mark as a workspace's directory",
               .subject = dir.path(),
               .cause = "other-home",
               .detail = "it belongs to a workspace of another home (" + home +
                         "); `holdfast workspace forget` there gives it free"});
}

}  // namespace

Result<std::optional<std::string>> other_home_of(const SessionStore& store, const os::Dir& dir) {
  const auto mark = HF_TRY(os::mark_of(dir));
  if (!mark) return std::nullopt;
  const auto owner = owner_of(dir, *mark);
  if (!owner) return "unknown: " + owner.error().cause;
  if (!HF_TRY(is_meant(*owner, dir))) return std::nullopt;
  if (HF_TRY(find_outside(store, owner->id))) return std::nullopt;
  if (!may_have(*owner)) return std::nullopt;
  return owner->directory;
}

Result<os::Marked> mark_owner(const SessionStore& store, const os::Dir& dir, const Id128& id) {
  if (!os::offers_marks()) return os::Marked::kNotOffered;  // a lock would leave a file in it
  const os::FileId file = HF_TRY(dir.info()).id;
  const std::string bytes =
      encode_outside_entry({.id = id,
                            .directory = HF_TRY(os::real_path_of(store.dir())),
                            .device = file.device,
                            .inode = file.inode,
                            .birth_ns = HF_TRY(os::birth_time_of(dir))});
  os::DirLock lock = HF_TRY(os::DirLock::open(dir));
  if (!HF_TRY(lock.lock(kOwnerMarkPatience))) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "mark as a workspace's directory",
                 .subject = dir.path(),
                 .cause = "directory-busy",
                 .detail = "somebody has held its lock for longer than a second"});
  }
  if (const auto other = HF_TRY(other_home_of(store, dir))) return not_ours(dir, *other);
  if (HF_TRY(os::mark_of(dir))) HF_TRY(os::remove_mark(dir));
  return os::put_mark(dir, bytes);
}

Result<> unmark_owner(const os::Dir& dir, const Id128& id) {
  const auto mark = HF_TRY(os::mark_of(dir));
  if (!mark) return {};
  const auto owner = owner_of(dir, *mark);
  if (!owner || owner->id != id) return {};
  return os::remove_mark(dir);
}

}  // namespace holdfast::session
