// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the maker has made the directory and not yet its lock, and a step of the
// clock or `--grace 0` makes it look old. Then the lock is made here, and the maker, who finds it
// made or the directory gone, begins another stage (session/workspace/workspace_stage.h). Without
// the lock nobody publishes a stage, and whoever has it and died leaves it free.
//
// A stage goes out of its place in one step, into the trash, under a name with which the next
// clean-up goes on. What arrived is looked at: it must be the directory whose lock was tried.
#include "gc/leftovers.h"

#include <algorithm>
#include <set>

#include "base/cause.h"
#include "base/printable.h"
#include "gc/outside_trash.h"
#include "gc/purge.h"
#include "gc/trash.h"
#include "os/dir/dir_names.h"
#include "os/dir/remove_tree.h"
#include "os/machine/random.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"
#include "session/workspace/outside.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::gc {
namespace {

// Long enough for whoever is about to write the record of an entry.
constexpr Duration kEntryPatience = std::chrono::minutes(1);

// A record that has this id, under the name of the entry.
Result<bool> has_record(const Services& services, const session::OutsideEntry& entry) {
  const auto record = HF_TRY(session::read_workspace(services.sessions, entry.name));
  return record && record->id == entry.id;
}

// Hostile interleaving: the workspace is moved to the trash, or brought back, while we look for it,
// and is seen in neither place. So sessions/ is looked at before the trash and after it: whoever
// moves it once is met in one of the three. (A workspace that is brought back under another name
// has its entry written anew, and so is too young to come here.)
Result<bool> is_orphan(const Services& services, const session::OutsideEntry& entry) {
  if (HF_TRY(has_record(services, entry))) return false;
  const auto trashed = HF_TRY(
      list_trash(services.sessions, HF_TRY(session::boot_moment_now()), services.clock.wall()));
  if (std::ranges::find(trashed, entry.id, &TrashEntry::id) != trashed.end()) return false;
  return !HF_TRY(has_record(services, entry));
}

Result<> remove_orphan(const Services& services, const session::OutsideEntry& entry) {
  if (!HF_TRY(is_orphan(services, entry))) return {};
  const Outside outside = HF_TRY(open_outside(entry));
  const Lies lies = HF_TRY(where_is(outside));
  if (lies == Lies::kInTrash) return {};  // its record is lost, and a person may want it back
  // Of the maker who died before its record: empty, or it is not removed.
  if (lies == Lies::kAtStage) {
    HF_TRY(outside.parent.remove_dir(session::workspace_stage_name(entry.id)));
  }
  return session::remove_outside(services.sessions, entry.id);
}

// False: not all of it could be removed.
Result<bool> remove_stage(const Services& services, const os::SafeName& stage, os::Dir& dir,
                          session::WorkspaceLock& lock) {
  const os::FileId id = HF_TRY(dir.info()).id;
  const os::Dir& sessions = services.sessions.dir();
  const os::Dir trash = HF_TRY(open_trash(sessions));
  // An id that nothing else has: that of the stage is the workspace's.
  const os::SafeName doomed =
      HF_TRY(purging_name(HF_TRY(trash_name("stage", HF_TRY(os::random_id()))).str()));
  const auto moved = os::move_open(sessions, stage, trash, doomed, dir);
  if (!moved && moved.error().code == ErrorCode::kNotFound) return true;  // it has its name now
  if (!moved) return fail(moved.error());
  if (*moved == os::Placed::kNameTaken) return false;
  if (HF_TRY(trash.id_of(doomed)) != id) {
    HF_TRY(os::move_new(trash, doomed, sessions, stage));
    return false;
  }
  os::close_for_removal(dir);
  lock.reset();
  const os::TreeRemoval removal = os::remove_tree(trash, doomed, &services.stop);
  return removal.gone || removal.stopped;
}

// True: it was in the trash, and is in its place again.
Result<bool> bring_one_back(const Services& services, const std::string& name) {
  const auto hold = HF_TRY(session::WorkspaceHold::take(services.sessions, name, Duration::zero()));
  if (!hold || !hold->record().outside) return false;
  auto entry = HF_TRY(session::confirmed_outside(services.sessions, hold->record()));
  if (!entry) return false;
  const Outside outside = HF_TRY(open_outside(*std::move(entry)));
  if (HF_TRY(where_is(outside)) != Lies::kInTrash) return false;
  // Of a workspace that is in the trash as a whole: this record only has its id.
  if (HF_TRY(is_in_trash(services.sessions.dir(), hold->file_name(), hold->record().id))) {
    return false;
  }
  return outside_back(outside);
}

}  // namespace

void remove_orphan_entries(const Services& services, Duration grace,
                           const std::vector<Id128>& known, Report& report) {
  const auto entries = session::list_outside(services.sessions);
  if (!entries) {
    report.warnings.push_back(to_sentence(entries.error()));
    return;
  }
  const std::set<Id128> ids(known.begin(), known.end());
  for (const session::OutsideEntry& entry : *entries) {
    if (services.stop.raised()) return;
    if (ids.contains(entry.id)) continue;
    const auto written = session::outside_written(services.sessions, entry.id);
    if (!written || !*written) continue;
    if (services.clock.wall() - **written < grace + kEntryPatience) continue;
    // What cannot be told now is looked at by the next clean-up.
    [[maybe_unused]] const auto removed = remove_orphan(services, entry);
  }
}

void remove_stages(const Services& services, Duration grace, const std::vector<std::string>& stages,
                   Report& report) {
  const WallTime now = services.clock.wall();
  for (const std::string& stage : stages) {
    if (services.stop.raised()) return;
    const auto name = os::SafeName::make(stage);
    if (!name) continue;
    auto dir = services.sessions.dir().open_dir(*name);
    if (!dir) continue;
    const auto info = dir->info();
    if (!info || now - info->changed < grace) continue;
    auto lock = session::try_stage_lock(*dir);
    if (!lock || !lock->free) continue;
    const auto removed = remove_stage(services, *name, *dir, lock->lock);
    if (removed && *removed) continue;
    report.warnings.push_back(stage + ": what a `workspace new` left behind could not be removed");
  }
}

void bring_back(const Services& services, const std::vector<std::string>& names, Report& report) {
  for (const std::string& name : names) {
    if (services.stop.raised()) return;
    const auto back = bring_one_back(services, name);
    // Somebody is at it, or its disk is not there: the next clean-up looks again.
    if (!back && (back.error().code == ErrorCode::kNotFound ||
                  back.error().cause == cause::kWorkspaceBusy)) {
      continue;
    }
    if (!back) report.warnings.push_back(to_sentence(back.error()));
    if (back && *back) {
      report.warnings.push_back("the directory of '" + printable(name) +
                                "' was in the trash, where an earlier clean-up had left it when it "
                                "died; it is in its place again");
    }
  }
}

}  // namespace holdfast::gc
