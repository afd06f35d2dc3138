// SPDX-License-Identifier: Apache-2.0
#include "gc/outside_trash.h"

#include "base/cause.h"
#include "base/path_text.h"
#include "gc/trash.h"
#include "os/dir/dir_names.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::gc {
namespace {

std::unexpected<Error> outside_trash_refused(std::string path, std::string_view cause,
                                             std::string_view detail) {
  return fail({.code = ErrorCode::kRefused,
               .op = "move the directory",
               .subject = std::move(path),
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

Error parent_gone(const std::string& directory) {
  return {.code = ErrorCode::kNotFound,
          .op = "find the directory of the workspace",
          .subject = directory,
          .cause = "parent-gone",
          .detail =
              "the directory that it is in is not there, or is on another disk now; it may "
              "come back, so nothing was done"};
}

// The open directory at a name, if it is the one of the entry. As long as it is open nobody else
// gets its inode number.
Result<std::optional<os::Dir>> open_if_ours(const os::Dir& in, const os::SafeName& name,
                                            const session::OutsideEntry& entry) {
  const auto id = HF_TRY(in.id_of(name));
  if (!id || id->device != entry.device || id->inode != entry.inode) return std::nullopt;
  os::Dir dir = HF_TRY(in.open_dir(name));
  if (!HF_TRY(session::is_directory_of(entry, dir))) return std::nullopt;
  return std::optional(std::move(dir));
}

// Moves the directory of the entry and nothing else; what turns out to be another goes back.
Result<> move_checked(const os::Dir& from, const os::SafeName& name, const os::Dir& to,
                      const os::SafeName& new_name, const session::OutsideEntry& entry) {
  auto ours = HF_TRY(open_if_ours(from, name, entry));
  if (!ours) {
    return outside_trash_refused(from.path_of(name), "replaced",
                                 "it is not the directory of the workspace; it was left as it is");
  }
  const auto id = HF_TRY(ours->info()).id;
  const os::Placed placed = HF_TRY(os::move_open(from, name, to, new_name, *ours));
  if (placed == os::Placed::kNameTaken) {
    return outside_trash_refused(to.path_of(new_name), "trash-name-taken",
                                 "something has its name already");
  }
  const auto after = to.id_of(new_name);
  const bool arrived = after && *after == id;
  const auto synced = arrived ? to.sync() : Result<>();
  const auto synced_too = arrived && synced ? from.sync() : Result<>();
  if (arrived && synced && synced_too) return {};
  // Swapped between the look and the move, or it may not last. Where it cannot go back it is whole.
  const auto back = os::move_open(to, new_name, from, name, *ours);
  const bool is_back = back && *back == os::Placed::kPlaced;
  if (arrived && is_back) return fail(!synced ? synced.error() : synced_too.error());
  return outside_trash_refused(
      from.path_of(name), "replaced",
      is_back ? "another was put in its place in this moment; it was left as it is"
              : "another was put in its place in this moment, and it lies in the other");
}

Result<std::optional<Outside>> confirmed(const session::SessionStore& sessions,
                                         const WorkspaceRecord& record) {
  if (!record.outside) return std::nullopt;
  auto entry = HF_TRY(session::confirmed_outside(sessions, record));
  if (!entry) return fail(not_confirmed(record.directory));
  return std::optional(HF_TRY(open_outside(*std::move(entry))));
}

}  // namespace

Error not_confirmed(const std::string& directory) {
  return {.code = ErrorCode::kRefused,
          .op = "move the directory",
          .subject = directory,
          .cause = "not-confirmed",
          .detail =
              "the record of the workspace says that it is its own, and the list of such "
              "directories does not; nothing was touched"};
}

Result<Outside> open_outside(session::OutsideEntry entry) {
  if (!is_rooted_path(entry.directory)) return fail(not_confirmed(entry.directory));
  os::SafeName base = HF_TRY(os::SafeName::make(last_component(entry.directory)));
  os::SafeName in_trash = HF_TRY(trash_name(base.str(), entry.id));
  auto parent = os::Dir::open(std::string(parent_path(entry.directory)));
  if (!parent && parent.error().code == ErrorCode::kNotFound) {
    return fail(parent_gone(entry.directory));
  }
  if (!parent) return fail(parent.error());
  return Outside{.entry = std::move(entry),
                 .parent = *std::move(parent),
                 .base = std::move(base),
                 .in_trash = std::move(in_trash)};
}

Result<Lies> where_is(const Outside& outside) {
  const session::OutsideEntry& entry = outside.entry;
  const auto trash = HF_TRY(find_trash(outside.parent));
  if (trash && HF_TRY(open_if_ours(*trash, outside.in_trash, entry))) return Lies::kInTrash;
  if (HF_TRY(open_if_ours(outside.parent, outside.base, entry))) return Lies::kInPlace;
  const os::SafeName stage = session::workspace_stage_name(entry.id);
  if (HF_TRY(open_if_ours(outside.parent, stage, entry))) return Lies::kAtStage;
  if (HF_TRY(outside.parent.id_of(outside.base))) return Lies::kReplaced;
  // An empty mount point looks like a parent whose directory was removed.
  if (HF_TRY(outside.parent.info()).id.device != entry.device) {
    return fail(parent_gone(entry.directory));
  }
  return Lies::kNowhere;
}

Result<bool> outside_to_trash(const Outside& outside, WorkspaceState state) {
  const Lies lies = HF_TRY(where_is(outside));
  if (lies == Lies::kInTrash || lies == Lies::kNowhere) return false;
  if (lies == Lies::kReplaced) {
    if (state == WorkspaceState::kReserved) return false;
    return outside_trash_refused(outside.entry.directory, "replaced",
                                 "it is not the directory of the workspace; it was left as it is");
  }
  const os::SafeName name =
      lies == Lies::kAtStage ? session::workspace_stage_name(outside.entry.id) : outside.base;
  const os::Dir trash = HF_TRY(open_trash(outside.parent));
  // Durable before the record follows: else a power cut could leave it in its place, unknown.
  HF_TRY(move_checked(outside.parent, name, trash, outside.in_trash, outside.entry));
  return true;
}

Result<bool> outside_back(const Outside& outside) {
  const Lies lies = HF_TRY(where_is(outside));
  if (lies == Lies::kInPlace) return false;
  if (lies == Lies::kReplaced ||
      (lies == Lies::kInTrash && HF_TRY(outside.parent.id_of(outside.base)))) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "bring back",
                 .subject = outside.entry.directory,
                 .cause = cause::kPathTaken,
                 .detail = "something else has its place; nothing was moved"});
  }
  const auto trash = HF_TRY(find_trash(outside.parent));
  if (lies != Lies::kInTrash || !trash) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "bring back",
                 .subject = outside.entry.directory,
                 .cause = "directory-gone",
                 .detail = "it is not in the trash beside its place any more; nothing was moved"});
  }
  HF_TRY(move_checked(*trash, outside.in_trash, outside.parent, outside.base, outside.entry));
  return true;
}

Result<bool> move_outside_to_trash(const session::SessionStore& sessions,
                                   const WorkspaceRecord& record) {
  const auto outside = HF_TRY(confirmed(sessions, record));
  if (!outside) return false;
  return outside_to_trash(*outside, record.state);
}

Result<bool> move_outside_back(const session::SessionStore& sessions,
                               const WorkspaceRecord& record) {
  const auto outside = HF_TRY(confirmed(sessions, record));
  if (!outside) return false;
  return outside_back(*outside);
}

}  // namespace holdfast::gc
