// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: somebody else brings the same entry back after we have listed it, its
// workspace ends, and gc puts it into the trash again, or we hold a directory that is in use by
// now. So with the locks in hand the name in the trash must lead to the directory that is locked,
// with the note that was listed; and nothing of the record is written before that.
#include "gc/restore.h"

#include <functional>
#include <memory>

#include "base/cause.h"
#include "format/session/series_record.h"
#include "format/session/session_record.h"
#include "format/text/name_escape.h"
#include "gc/outside_trash.h"
#include "gc/trash.h"
#include "os/dir/dir_names.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

std::unexpected<Error> busy(const std::string& name, std::string_view cause,
                            std::string_view detail) {
  return fail({.code = ErrorCode::kBusy,
               .op = "bring back the workspace",
               .subject = "'" + name + "'",
               .cause = std::string(cause),
               .detail = std::string(detail)});
}
std::unexpected<Error> name_taken(const std::string& name) {
  return busy(name, cause::kNameTaken,
              "there is one of this name again; `--as NEWNAME` gives it another; it is still in "
              "the trash");
}

void renew(WorkspaceRecord& record, const std::string& name, const BootMoment& now) {
  record.name = name;
  ++record.change;
  record.state = WorkspaceState::kReady;
  record.ended.reset();
  record.ttl.reset();
  record.attached.clear();
  record.born = now;
  record.renewed = now;
  if (record.authority) record.former_authority = std::move(record.authority);
  record.authority.reset();
}

// What this call has done so far is undone, the last first, unless it came to its end.
class Undo {
 public:
  Undo() = default;
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;
  ~Undo() {
    while (!steps_.empty()) {
      steps_.back()();
      steps_.pop_back();
    }
  }
  void add(std::function<void()> step) { steps_.push_back(std::move(step)); }
  void keep() { steps_.clear(); }

 private:
  std::vector<std::function<void()>> steps_;
};

// The lock of a workspace; of a run alone there is none.
Result<session::WorkspaceLock> lock_workspace(const os::Dir& dir, const std::string& name) {
  if (!HF_TRY(dir.id_of(session::workspace_record_name()))) return session::WorkspaceLock();
  auto lock = HF_TRY(session::lock_workspace_dir(dir, session::kWorkspaceLockWait));
  if (lock) return lock;
  return busy(name, cause::kWorkspaceBusy,
              "somebody else is changing it; it is still in the trash");
}

Result<std::optional<std::string>> read_bytes(const os::Dir& dir, const os::SafeName& name,
                                              std::size_t most) {
  const auto file = HF_TRY(session::open_own_file(dir, name));
  if (!file) return std::nullopt;
  return std::optional(HF_TRY(file->read_at(0, most + 1)));
}

class Restorer {
  using DirPtr = std::shared_ptr<const os::Dir>;

 public:
  Restorer(const session::SessionStore& sessions, const os::Dir& trash, const os::Dir& dir,
           const TrashEntry& entry, const std::string& as)
      : sessions_(sessions),
        trash_(trash),
        dir_(dir),
        own_(DirPtr(), &dir),
        entry_(entry),
        as_(as) {}

  Result<> bring_outside_back(const std::optional<WorkspaceRecord>& record, Undo& undo) {
    const auto listed = HF_TRY(listed_outside(sessions_, entry_.name, entry_.id, entry_.note));
    HF_TRY(check_outside(record, listed));
    if (!listed) return {};
    if (listed->name != as_) HF_TRY(rename_in_list(*listed, undo));
    auto outside = HF_TRY(open_outside(*listed));
    if (!HF_TRY(outside_back(outside))) return {};
    undo.add([outside = std::make_shared<Outside>(std::move(outside))] {
      static_cast<void>(outside_to_trash(*outside, WorkspaceState::kReady));
    });
    return {};
  }

  Result<> rewrite(WorkspaceRecord record, Undo& undo) {
    renew(record, as_, HF_TRY(session::boot_moment_now()));
    return replace(own_, session::workspace_record_name(), encode_workspace_record(record),
                   kMaxWorkspaceRecordBytes, undo);
  }

  // Every record in it names its session: the newest run, those before it, the series of them.
  Result<> rename_runs(Undo& undo) {
    HF_TRY(rename_run(own_, undo));
    HF_TRY(rename_series(undo));
    const auto runs = HF_TRY(session::open_own_dir(dir_, session::runs_name()));
    if (!runs) return {};
    std::vector<os::SafeName> names;
    HF_TRY(runs->each_entry([&](std::string_view entry, os::FileType type) {
      auto name = os::SafeName::make(entry);
      if (name && type != os::FileType::kRegular) names.push_back(*std::move(name));
      return os::Visit::kContinue;
    }));
    for (const os::SafeName& name : names) {
      auto run = session::open_own_dir(*runs, name);
      if (!run && run.error().code == ErrorCode::kRefused) continue;  // none of ours
      if (!run) return fail(run.error());
      if (!*run) continue;
      const auto renamed = rename_run(std::make_shared<const os::Dir>(**std::move(run)), undo);
      // One that nobody could read before either is left as it is.
      if (!renamed && !is_unreadable(renamed.error())) return renamed;
    }
    return {};
  }

 private:
  static bool is_unreadable(const Error& error) {
    return error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kCannotTell ||
           error.code == ErrorCode::kRefused;
  }

  Result<> rename_run(const DirPtr& dir, Undo& undo) {
    const auto bytes = HF_TRY(read_bytes(*dir, session::record_name(), kMaxSessionRecordBytes));
    if (!bytes) return {};
    SessionRecord run = HF_TRY(decode_session_record(*bytes, dir->path_of(session::record_name())));
    if (run.name == as_) return {};
    run.name = as_;
    return replace(dir, session::record_name(), encode_session_record(run), kMaxSessionRecordBytes,
                   undo);
  }

  Result<> rename_series(Undo& undo) {
    const auto bytes = HF_TRY(read_bytes(dir_, session::series_name(), kMaxSeriesRecordBytes));
    if (!bytes) return {};
    auto series = decode_series_record(*bytes, dir_.path_of(session::series_name()));
    if (!series && is_unreadable(series.error())) return {};
    if (!series) return fail(series.error());
    if (series->name == as_) return {};
    series->name = as_;
    return replace(own_, session::series_name(), encode_series_record(*series),
                   kMaxSeriesRecordBytes, undo);
  }

  // The note first: it says, where no agent writes, which new name is to be believed.
  Result<> rename_in_list(const session::OutsideEntry& listed, Undo& undo) {
    TrashNote note = entry_.note.value_or(TrashNote{.at = entry_.at, .keep = entry_.keep});
    if (!entry_.note) note.moment = HF_TRY(session::boot_moment_now());
    note.as = as_;
    undo.add([this] {
      // The note goes last: as long as the list may have the new name, it vouches for that.
      auto now = session::find_outside(sessions_, entry_.id);
      if (!now || !*now) return;
      (*now)->name = entry_.name;
      if (!session::write_outside(sessions_, **now)) return;
      if (entry_.note) {
        static_cast<void>(write_note(trash_, entry_.file, *entry_.note, os::Durability::kFull));
      } else {
        static_cast<void>(remove_note(trash_, entry_.file));
      }
    });
    HF_TRY(write_note(trash_, entry_.file, note, os::Durability::kFull));
    session::OutsideEntry renamed = listed;
    renamed.name = as_;
    return session::write_outside(sessions_, renamed);
  }

  static Result<> replace(const DirPtr& dir, const os::SafeName& name, const std::string& bytes,
                          std::size_t most, Undo& undo) {
    auto old = HF_TRY(read_bytes(*dir, name, most));
    undo.add([dir, name, old = std::move(old)] {
      if (!old) return;
      static_cast<void>(session::replace_own_file(*dir, name, *old, os::Durability::kFull));
    });
    return session::replace_own_file(*dir, name, bytes, os::Durability::kFull);
  }

  const session::SessionStore& sessions_;
  const os::Dir& trash_;
  const os::Dir& dir_;
  DirPtr own_;  // the same; it outlives every undoing
  const TrashEntry& entry_;
  const std::string& as_;
};

// With the locks in hand: is it what was listed?
Result<> check_still_there(const os::Dir& trash, const os::SafeName& file, const os::Dir& dir,
                           const TrashEntry& entry) {
  const auto leads_to = HF_TRY(trash.id_of(file));
  const auto note = read_note(trash, entry.file);
  const bool same_note = note ? *note == entry.note : entry.note_unread;
  if (!leads_to || *leads_to != HF_TRY(dir.info()).id || !same_note)
    return busy(entry.name, "being-purged", "somebody has removed it, or brought it back");
  return {};
}

}  // namespace

Result<Restored> restore(const session::SessionStore& sessions, const TrashEntry& entry,
                         const std::string& as) {
  if (entry.purging) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "bring back the workspace",
                 .subject = "'" + entry.name + "'",
                 .cause = "partly-purged",
                 .detail = "a part of it is gone for good already; the next purge ends that"});
  }
  const os::SafeName file = HF_TRY(os::SafeName::make(entry.file));
  const os::SafeName name =
      HF_TRY(os::SafeName::make(HF_TRY(escape_name(as, platform_name_rules()))));
  const auto trash = HF_TRY(find_trash(sessions.dir()));
  if (!trash) return busy(entry.name, "being-purged", "it is gone");
  auto opened = trash->open_dir(file);
  if (!opened && opened.error().code == ErrorCode::kNotFound) {
    return busy(entry.name, "being-purged", "somebody has removed it, or brought it back");
  }
  if (!opened) return fail(opened.error());
  os::Dir& dir = *opened;
  const os::Hold lock = HF_TRY(os::hold_dir(*trash, dir, trash_holds_name(), Duration::zero()));
  if (!lock) {
    return busy(entry.name, "being-purged", "somebody is removing it, or bringing it back");
  }
  HF_TRY(check_still_there(*trash, file, dir, entry));
  const auto workspace_lock = HF_TRY(lock_workspace(dir, entry.name));
  HF_TRY(check_still_there(*trash, file, dir, entry));
  if (HF_TRY(sessions.dir().id_of(name))) return name_taken(as);

  Restored restored{.name = as, .directory = sessions.dir().path_of(name)};
  const auto record = HF_TRY(read_trashed(dir, entry.id));
  Restorer restorer(sessions, *trash, dir, entry, as);
  Undo undo;
  HF_TRY(restorer.bring_outside_back(record, undo));
  if (record) HF_TRY(restorer.rewrite(*record, undo));
  if (record && record->outside) restored.directory = record->directory;
  HF_TRY(restorer.rename_runs(undo));
  const os::Placed moved = HF_TRY(os::move_open(*trash, file, sessions.dir(), name, dir));
  if (moved == os::Placed::kNameTaken) return name_taken(as);
  undo.keep();
  static_cast<void>(remove_note(*trash, entry.file));
  for (const os::Dir* changed : {&sessions.dir(), &*trash}) {
    const auto synced = changed->sync();
    if (!synced) restored.not_durable = not_durable(synced.error());
  }
  return restored;
}

}  // namespace holdfast::gc
