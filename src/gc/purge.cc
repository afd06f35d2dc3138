// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleavings: between the list and the lock the workspace is brought back, ends
// again and comes to the trash a second time, under the same name; so with the lock in hand the
// name must lead to the directory that is locked, and the note must be the one that was listed. And
// the agent whose workspace it was may still stand in the directory and write into its record; so
// what is outside is known from the list, where no agent works, and the record can only make us
// refuse.
#include "gc/purge.h"

#include "base/printable.h"
#include "format/text/name_escape.h"
#include "gc/outside_trash.h"
#include "gc/trash.h"
#include "os/dir/dir_names.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"

namespace holdfast::gc {
namespace {

Purge failed(const Error& error) { return {.reason = error.cause}; }
Purge meanwhile(std::string reason) { return {.busy = true, .reason = std::move(reason)}; }

Purge not_gone(const os::TreeRemoval& removal) {
  Purge purge;
  purge.faults = removal.first_faults;
  purge.interrupted = removal.stopped;
  purge.reason = removal.stopped        ? "interrupted"
                 : purge.faults.empty() ? "not-removed"
                                        : purge.faults.front().cause;
  return purge;
}

class Purger {
 public:
  Purger(const session::SessionStore& sessions, const os::Dir& trash, const os::Flag* stop)
      : sessions_(sessions), trash_(trash), stop_(stop) {}

  // nullopt: it is locked, and has this name.
  std::optional<Purge> take(const os::SafeName& file) {
    auto dir = trash_.open_dir(file);
    if (!dir && dir.error().code == ErrorCode::kNotFound) return meanwhile("gone");
    if (!dir) return failed(dir.error());
    auto lock = os::hold_dir(trash_, *dir, trash_holds_name(), Duration::zero());
    if (!lock) return failed(lock.error());
    if (!*lock) return meanwhile("busy");
    const auto here = dir->info();
    if (!here) return failed(here.error());
    const auto leads_to = trash_.id_of(file);
    if (!leads_to) return failed(leads_to.error());
    if (!*leads_to || **leads_to != here->id) return meanwhile("gone");
    dir_.emplace(*std::move(dir));
    lock_ = *std::move(lock);
    return std::nullopt;
  }

  // What it has outside, where that may be purged.
  std::optional<Purge> look_outside(const std::string& name, const Id128& id,
                                    const std::optional<TrashNote>& note, bool purging) {
    const auto listed = listed_outside(sessions_, name, id, note);
    if (!listed) return failed(listed.error());
    if (!purging) {
      const auto record = read_trashed(*dir_, id);
      if (!record) return failed(record.error());
      const auto confirmed = check_outside(*record, *listed);
      if (!confirmed) return failed(confirmed.error());
    }
    if (!*listed) return std::nullopt;
    auto outside = open_outside(**listed);
    if (!outside) return failed(outside.error());
    const auto lies = where_is(*outside);
    if (!lies) return failed(lies.error());
    // Bringing it back was cut short.
    if (*lies == Lies::kInPlace || *lies == Lies::kAtStage) return Purge{.reason = "in-its-place"};
    outside_.emplace(*std::move(outside));
    in_trash_ = *lies == Lies::kInTrash;
    return std::nullopt;
  }

  std::optional<Purge> doom(const os::SafeName& file, const os::SafeName& doomed) {
    const auto placed = os::move_open(trash_, file, trash_, doomed, *dir_);
    if (!placed) return failed(placed.error());
    if (*placed == os::Placed::kNameTaken) return Purge{.reason = "trash-name-taken"};
    const auto synced = trash_.sync();
    if (synced) return std::nullopt;
    static_cast<void>(os::move_open(trash_, doomed, trash_, file, *dir_));  // nothing of it is gone
    return failed(synced.error());
  }

  Purge remove(const os::SafeName& doomed, std::string_view listed_as) {
    if (outside_) {
      if (auto left = remove_outside()) return *std::move(left);
    }
    const auto noted = remove_note(trash_, listed_as);
    if (!noted) return failed(noted.error());
    os::close_for_removal(*dir_);
    const os::TreeRemoval removal = os::remove_tree(trash_, doomed, stop_);
    if (removal.gone) return {.gone = true};
    return not_gone(removal);
  }

 private:
  std::optional<Purge> remove_outside() {
    if (in_trash_) {
      const auto trash = find_trash(outside_->parent);
      if (!trash) return failed(trash.error());
      if (*trash) {
        const os::TreeRemoval removal = os::remove_tree(**trash, outside_->in_trash, stop_);
        if (!removal.gone) return not_gone(removal);
        // It must not come back after a power cut, when nothing knows of it any more.
        const auto synced = (*trash)->sync();
        if (!synced) return failed(synced.error());
      }
    }
    const auto forgotten = session::remove_outside(sessions_, outside_->entry.id);
    if (!forgotten) return failed(forgotten.error());
    return std::nullopt;
  }

  const session::SessionStore& sessions_;
  const os::Dir& trash_;
  const os::Flag* stop_;
  std::optional<os::Dir> dir_;
  os::Hold lock_;
  std::optional<Outside> outside_;
  bool in_trash_ = false;
};

}  // namespace

Result<std::optional<WorkspaceRecord>> read_trashed(const os::Dir& dir, const Id128& id) {
  const auto file = HF_TRY(session::open_own_file(dir, session::workspace_record_name()));
  if (!file) return std::nullopt;
  const std::string bytes = HF_TRY(file->read_at(0, kMaxWorkspaceRecordBytes + 1));
  WorkspaceRecord record = HF_TRY(decode_workspace_record(bytes, file->path()));
  if (record.id == id) return record;
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the workspace's record",
               .subject = file->path(),
               .cause = "other-session",
               .detail = "it is the record of another workspace; it was left as it is"});
}

Result<std::optional<session::OutsideEntry>> listed_outside(const session::SessionStore& sessions,
                                                            const std::string& name,
                                                            const Id128& id,
                                                            const std::optional<TrashNote>& note) {
  auto entry = HF_TRY(session::find_outside(sessions, id));
  const bool ours = entry && (entry->name == name || (note && note->as == entry->name));
  if (!ours) return std::nullopt;
  return entry;
}

Result<> check_outside(const std::optional<WorkspaceRecord>& record,
                       const std::optional<session::OutsideEntry>& listed) {
  const bool says_so = record && record->outside;
  if (!says_so && !listed) return {};
  if (says_so && listed && record->directory == listed->directory &&
      record->device == listed->device && record->inode == listed->inode) {
    return {};
  }
  return fail(not_confirmed(says_so ? record->directory : listed->directory));
}

Purge purge(const session::SessionStore& sessions, const os::Dir& trash, const TrashEntry& entry,
            const os::Flag* stop) {
  const auto file = os::SafeName::make(entry.file);
  if (!file) return failed(file.error());
  const auto parsed = parse_trash_name(entry.file);
  if (!parsed) return {.reason = "not-a-session"};
  const auto listed_as = trash_name(parsed->file_name, parsed->id);
  if (!listed_as) return failed(listed_as.error());
  Purger purger(sessions, trash, stop);
  if (auto stays = purger.take(*file)) return *std::move(stays);
  const auto note = read_note(trash, listed_as->str());
  if (note ? *note != entry.note : !entry.note_unread) return meanwhile("changed");
  if (auto stays = purger.look_outside(entry.name, entry.id, entry.note, entry.purging)) {
    return *std::move(stays);
  }
  if (entry.purging) return purger.remove(*file, listed_as->str());
  const auto doomed = purging_name(entry.file);
  if (!doomed) return failed(doomed.error());
  if (auto stays = purger.doom(*file, *doomed)) return *std::move(stays);
  return purger.remove(*doomed, listed_as->str());
}

Purge purge_moved(const session::SessionStore& sessions, const os::Dir& trash,
                  const os::SafeName& file, Outsides outsides, const os::Flag* stop) {
  const auto parsed = parse_trash_name(file.str());
  if (!parsed) return {.reason = "not-a-session"};
  const auto listed_as = trash_name(parsed->file_name, parsed->id);
  if (!listed_as) return failed(listed_as.error());
  Purger purger(sessions, trash, stop);
  if (auto stays = purger.take(file)) return *std::move(stays);
  if (outsides == Outsides::kLook) {
    const auto name = unescape_name(parsed->file_name, platform_name_rules());
    if (!name) return failed(name.error());
    if (auto stays = purger.look_outside(*name, parsed->id, std::nullopt, true)) {
      return *std::move(stays);
    }
  }
  return purger.remove(file, listed_as->str());
}

std::string faults_text(const std::vector<os::TreeFault>& faults) {
  std::string text;
  for (const os::TreeFault& fault : faults) {
    text += (text.empty() ? ": " : ", ") + printable(fault.path) + ": " + fault.cause;
  }
  return text;
}

void purge_due(const Services& services, Report& report) {
  const auto now = session::boot_moment_now();
  if (!now) return;
  const auto entries = list_trash(services.sessions, *now, services.clock.wall());
  const auto trash = find_trash(services.sessions.dir());
  if (!entries || !trash) {
    report.warnings.push_back(to_sentence(!entries ? entries.error() : trash.error()));
    return;
  }
  if (!*trash) return;
  bool unrecorded = false;
  for (const TrashEntry& entry : *entries) {
    if (services.stop.raised()) {
      report.interrupted = true;
      return;
    }
    if (entry.note_unread) {
      report.warnings.push_back(printable(entry.name) + ", in the trash: " + entry.trouble +
                                "; how long it is to stay is not known, and it stays");
    }
    if (!entry.due()) continue;
    const Purge result = purge(services.sessions, **trash, entry, &services.stop);
    report.interrupted = report.interrupted || result.interrupted;
    if (result.gone) {
      ++report.purged;
      const auto recorded = services.events.record(
          {.type = "trash.purged",
           .data = EventData().text("name", entry.name).text("id", to_hex(entry.id))});
      if (!recorded && !unrecorded) report.warnings.push_back(to_sentence(recorded.error()));
      unrecorded = unrecorded || !recorded;
    }
    if (result.gone || result.busy || result.interrupted) continue;
    std::string warning = printable(entry.name) +
                          ", in the trash: not all of it could be removed (" + result.reason + ")";
    warning += faults_text(result.faults);
    report.warnings.push_back(std::move(warning));
  }
}

}  // namespace holdfast::gc
