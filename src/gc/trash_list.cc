// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/text/name_escape.h"
#include "gc/purge.h"
#include "gc/trash.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

void look(TrashEntry& entry, const os::Dir& trash, const BootMoment& now, WallTime wall) {
  const auto file = os::SafeName::make(entry.file);
  const auto dir = file ? trash.open_dir(*file) : Result<os::Dir>(fail(file.error()));
  if (!dir) {
    entry.trouble = dir.error().cause;
    return;
  }
  const auto info = dir->info();
  if (info) {
    entry.at = info->changed;
    entry.age = std::max(std::min(wall - info->changed, Duration(now.boot_ns)), Duration::zero());
  }
  if (entry.note) {
    entry.at = entry.note->at;
    entry.age = session::age_of(entry.note->moment, now);
    entry.keep = entry.note->keep;
    entry.reason = entry.note->reason;
  }
  const auto record = read_trashed(*dir, entry.id);
  if (!record && !entry.purging) entry.trouble = record.error().cause;
  if (record && *record && (*record)->outside) entry.directory = (*record)->directory;
}

}  // namespace

Result<std::vector<TrashEntry>> list_trash(const session::SessionStore& sessions,
                                           const BootMoment& now, WallTime wall) {
  std::vector<TrashEntry> entries;
  const auto trash = HF_TRY(find_trash(sessions.dir()));
  if (!trash) return entries;
  HF_TRY(trash->each_entry([&](std::string_view file, os::FileType) {
    auto parsed = parse_trash_name(file);
    if (!parsed) return os::Visit::kContinue;
    auto name = unescape_name(parsed->file_name, platform_name_rules());
    if (!name) return os::Visit::kContinue;
    entries.push_back({.file = std::string(file),
                       .name = *std::move(name),
                       .id = parsed->id,
                       .purging = parsed->purging});
    return os::Visit::kContinue;
  }));
  for (TrashEntry& entry : entries) {
    const auto parsed = parse_trash_name(entry.file);
    const auto listed_as = trash_name(parsed->file_name, parsed->id);
    const auto note = listed_as ? read_note(*trash, listed_as->str()) : std::nullopt;
    if (note) entry.note = *note;
    entry.note_unread = !note;
    look(entry, *trash, now, wall);
    if (!note)
      entry.trouble = note.error().code == ErrorCode::kCannotTell ? "newer-note" : "corrupt-note";
  }
  // What went since it was listed is no trouble.
  std::erase_if(entries, [&](const TrashEntry& entry) {
    if (entry.trouble.empty()) return false;
    const auto there = trash->id_of(*os::SafeName::make(entry.file));
    return there && !*there;
  });
  std::ranges::sort(entries, [](const TrashEntry& one, const TrashEntry& other) {
    if (one.name != other.name) return one.name < other.name;
    if (one.purging != other.purging) return other.purging;
    if (one.age != other.age) return one.age < other.age;
    return one.file < other.file;
  });
  return entries;
}

}  // namespace holdfast::gc
