// SPDX-License-Identifier: Apache-2.0
#include "gc/trash.h"

#include "format/text/name_escape.h"
#include "gc/outside_trash.h"
#include "os/dir/dir_names.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"

namespace holdfast::gc {
namespace {

constexpr std::size_t kHexDigits = 32;
constexpr std::string_view kPurging = ".purging-";
constexpr std::string_view kNote = ".note.json";

std::unexpected<Error> trash_refused(std::string path, std::string_view cause,
                                     std::string_view detail) {
  return fail({.code = ErrorCode::kRefused,
               .op = "move to the trash",
               .subject = std::move(path),
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

Result<os::Dir> checked(Result<os::Dir> opened, const os::Dir& parent) {
  if (!opened && opened.error().code != ErrorCode::kRefused) return opened;
  const bool closed = opened && HF_TRY(opened->exposure()).others == os::Exposure::Others::kNothing;
  if (closed) return opened;
  return trash_refused(
      parent.path_of(trash_dir_name()), "trash-unsafe",
      "it is a link, of another owner, or open to others (it must be 0700); nothing was "
      "moved");
}

// Hostile interleaving: an agent gives its workspace the id of one that lies in the trash. Nothing
// of that one may be touched: neither its note, nor what it has outside, which the list knows by
// the id. So both names that it can have there must be free before anything is moved or written.
// Nobody takes them meanwhile but another clean-up of the same workspace, which would need its
// lock.
Result<> check_free(const os::Dir& trash, const os::SafeName& listed) {
  const os::SafeName purging = HF_TRY(purging_name(listed.str()));
  for (const os::SafeName* name : {&listed, &purging}) {
    if (HF_TRY(trash.id_of(*name))) {
      return trash_refused(
          trash.path_of(*name), "trash-name-taken",
          "a workspace with its name and id is in the trash already; nothing was moved");
    }
  }
  return {};
}

// The record's directory `dir`, with its note beside it; without a note it is doomed. What arrives
// must be that directory: whatever else has the name now goes back.
Result<os::SafeName> move_record(const session::SessionStore& sessions, const os::Dir& trash,
                                 os::Dir& dir, const os::SafeName& file_name, const Id128& id,
                                 const TrashNote* note) {
  const os::SafeName listed = HF_TRY(trash_name(file_name.str(), id));
  HF_TRY(check_free(trash, listed));
  const os::FileId expected = HF_TRY(dir.info()).id;
  os::SafeName name = note != nullptr ? listed : HF_TRY(purging_name(listed.str()));
  if (note != nullptr) HF_TRY(write_note(trash, name.str(), *note, os::Durability::kNone));
  const auto placed = os::move_open(sessions.dir(), file_name, trash, name, dir);
  if (placed && *placed == os::Placed::kPlaced) {
    const auto arrived = trash.id_of(name);
    if (arrived && *arrived == expected) return name;
    const auto back = os::move_new(trash, name, sessions.dir(), file_name);
    if (note != nullptr) static_cast<void>(remove_note(trash, name.str()));
    return trash_refused(
        sessions.dir().path_of(file_name), "replaced",
        back && *back == os::Placed::kPlaced
            ? "another was put in its place in this moment; it was left as it is"
            : "another was put in its place in this moment, and it lies in the trash");
  }
  if (!placed && note != nullptr) static_cast<void>(remove_note(trash, name.str()));
  if (!placed) return fail(placed.error());
  return trash_refused(trash.path_of(name), "trash-name-taken", "something has its name already");
}

}  // namespace

Result<os::Dir> open_trash(const os::Dir& parent) {
  return checked(session::open_or_make_own_dir(parent, trash_dir_name()), parent);
}

Result<std::optional<os::Dir>> find_trash(const os::Dir& parent) {
  auto dir = parent.open_dir(trash_dir_name());
  if (!dir && dir.error().code == ErrorCode::kNotFound) return std::nullopt;
  os::Dir safe = HF_TRY(checked(std::move(dir), parent));
  if (HF_TRY(safe.exposure()).owner == os::Exposure::Owner::kSelf)
    return std::optional(std::move(safe));
  return trash_refused(safe.path(), "trash-unsafe", "it belongs to another user");
}

std::optional<TrashName> parse_trash_name(std::string_view name) {
  const bool purging = name.starts_with(kPurging);
  if (purging) name.remove_prefix(kPurging.size());
  if (name.size() < kHexDigits + 2 || name[name.size() - kHexDigits - 1] != '.')
    return std::nullopt;
  const auto id = parse_id128(name.substr(name.size() - kHexDigits));
  if (!id) return std::nullopt;
  return TrashName{.file_name = std::string(name.substr(0, name.size() - kHexDigits - 1)),
                   .id = *id,
                   .purging = purging};
}

Result<os::SafeName> purging_name(std::string_view name) {
  return os::SafeName::make(std::string(kPurging) + std::string(name));
}

Result<os::SafeName> note_name(std::string_view name) {
  return os::SafeName::make(std::string(name) + std::string(kNote));
}

Result<std::optional<TrashNote>> read_note(const os::Dir& trash, std::string_view name) {
  const auto file = HF_TRY(session::open_own_file(trash, HF_TRY(note_name(name))));
  if (!file) return std::nullopt;
  const std::string bytes = HF_TRY(file->read_at(0, kMaxTrashNoteBytes + 1));
  return std::optional(HF_TRY(decode_trash_note(bytes, file->path())));
}

Result<> write_note(const os::Dir& trash, std::string_view name, const TrashNote& note,
                    os::Durability durability) {
  return session::replace_own_file(trash, HF_TRY(note_name(name)), encode_trash_note(note),
                                   durability);
}

Result<> remove_note(const os::Dir& trash, std::string_view name) {
  HF_TRY(trash.remove_file(HF_TRY(note_name(name))));
  return {};
}

Result<bool> is_in_trash(const os::Dir& parent, const os::SafeName& file_name, const Id128& id) {
  const auto trash = HF_TRY(find_trash(parent));
  if (!trash) return false;
  const os::SafeName listed = HF_TRY(trash_name(file_name.str(), id));
  if (HF_TRY(trash->id_of(listed))) return true;
  return HF_TRY(trash->id_of(HF_TRY(purging_name(listed.str())))).has_value();
}

Result<os::SafeName> move_to_trash(const session::SessionStore& sessions, const os::Dir& trash,
                                   session::WorkspaceHold& hold, const TrashNote* note) {
  const WorkspaceRecord& record = hold.record();
  HF_TRY(check_free(trash, HF_TRY(trash_name(hold.file_name().str(), record.id))));
  const bool outside_moved = HF_TRY(move_outside_to_trash(sessions, record));
  auto moved = move_record(sessions, trash, hold.dir_to_move(), hold.file_name(), record.id, note);
  // As it was: a workspace that stays has its directory. Where that fails too, the next clean-up
  // finds it in the trash.
  if (!moved && outside_moved) static_cast<void>(move_outside_back(sessions, record));
  return moved;
}

Result<os::SafeName> move_run_to_trash(const session::SessionStore& sessions, const os::Dir& trash,
                                       session::SessionDir& dir, const Id128& run,
                                       const TrashNote* note) {
  return move_record(sessions, trash, dir.dir_to_move(), HF_TRY(session::file_name_of(dir.name())),
                     run, note);
}

}  // namespace holdfast::gc
