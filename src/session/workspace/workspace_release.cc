// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving of forget(): we die over it. A directory in sessions/ without a record
// would keep its name taken for ever, and nobody could tell what it was. So the directory gets the
// name of a stage in one step, which frees the name and says what it is, and is taken apart after
// that. The entry in the list of directories goes last, as in a purge: an entry without a record
// does no harm, a record without its entry is believed by nobody. Where a run has its own files
// beside the record, the directory is the run's as well, and only the record goes.
//
// The other one: the record was changed into one that names the id of another workspace, whose
// entry would then go. The list must say the same as the record before anything is done.
#include "session/workspace/workspace_release.h"

#include <algorithm>
#include <string_view>

#include "os/dir/dir_names.h"
#include "session/record/layout.h"
#include "session/record/view.h"
#include "session/workspace/below.h"
#include "session/workspace/outside.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_attach.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::session {
namespace {

std::unexpected<Error> workspace_release_problem(ErrorCode code, std::string_view op,
                                                 const std::string& name, std::string_view cause,
                                                 std::string detail) {
  return fail({.code = code,
               .op = std::string(op),
               .subject = "'" + name + "'",
               .cause = std::string(cause),
               .detail = std::move(detail) + "; nothing was changed"});
}

Result<WorkspaceHold> take_judged(const SessionStore& store, const WorkspaceRecord& judged,
                                  std::string_view op) {
  auto hold = HF_TRY(WorkspaceHold::take(store, judged.name, kWorkspaceLockWait));
  if (!hold) {
    return workspace_release_problem(ErrorCode::kNotFound, op, judged.name, cause::kNoSuchWorkspace,
                                     "there is no such workspace any more");
  }
  if (hold->record() != judged) {
    return workspace_release_problem(ErrorCode::kBusy, op, judged.name, "changed",
                                     "somebody has changed it in this moment");
  }
  if (judged.state == WorkspaceState::kReserved) {
    return workspace_release_problem(
        ErrorCode::kRefused, op, judged.name, "not-ready",
        "its directory is still being made, or whoever made it died over it, and "
        "`holdfast gc` will remove it");
  }
  const auto there = attached_now(judged).there;
  if (!there.empty()) {
    return workspace_release_problem(ErrorCode::kBusy, op, judged.name, "attached",
                                     "somebody works in it: " + attachment_text(there.front()));
  }
  if (!HF_TRY(BelowNow::look(hold->dir())).anybody()) return *std::move(hold);
  return workspace_release_problem(ErrorCode::kBusy, op, judged.name, "attached",
                                   "something that was started below an attachment still runs");
}

// The name leads to the directory that is locked.
Result<> check_no_run(const SessionStore& store, const std::string& name, std::string_view op) {
  const auto dir = HF_TRY(store.find(name));
  if (!dir) return {};
  const auto view = look(*dir);
  if (!view || (*view && !(*view)->known)) {
    return workspace_release_problem(ErrorCode::kCannotTell, op, name, "run-unknown",
                                     "whether the run in it is over cannot be told");
  }
  if (!*view || is_final((*view)->state)) return {};
  return workspace_release_problem(ErrorCode::kBusy, op, name, "runs",
                                   "a run of this name is not over");
}

Result<bool> has_only_the_record(const os::Dir& dir) {
  bool only = true;
  HF_TRY(dir.each_entry([&](std::string_view entry, os::FileType) {
    only =
        only && (entry == workspace_record_name().text() || entry == workspace_lock_name().text() ||
                 entry == workspace_below_name().text());
    return only ? os::Visit::kContinue : os::Visit::kStop;
  }));
  return only;
}

Result<> remove_record(const SessionStore& store, WorkspaceHold& hold) {
  const bool all = HF_TRY(has_only_the_record(hold.dir()));
  const os::SafeName stage = workspace_stage_name(hold.record().id);
  if (all) {
    if (HF_TRY(os::move_open(store.dir(), hold.file_name(), store.dir(), stage,
                             hold.dir_to_move())) == os::Placed::kNameTaken) {
      return fail({.code = ErrorCode::kBusy,
                   .op = "move aside",
                   .subject = hold.dir().path(),
                   .cause = "stage-taken",
                   .detail = "somebody put something in its way; nothing was changed"});
    }
  }
  HF_TRY(hold.dir().remove_file(workspace_record_name()));
  HF_TRY(hold.dir().remove_file(workspace_below_name()));
  HF_TRY(remove_workspace_lock(hold.dir()));
  if (!all) return hold.dir().sync();
  HF_TRY(os::remove_open(store.dir(), stage, hold.dir_to_move()));
  return store.dir().sync();
}

}  // namespace

Result<> forget(const SessionStore& store, const WorkspaceRecord& judged,
                const Announce& announce) {
  constexpr std::string_view kOp = "forget the workspace";
  WorkspaceHold hold = HF_TRY(take_judged(store, judged, kOp));
  if (!judged.outside) {
    return workspace_release_problem(
        ErrorCode::kRefused, kOp, judged.name, "in-the-home",
        "its directory lies in the home and goes with its record; `holdfast workspace "
        "end` says that it is over");
  }
  const auto entry = HF_TRY(confirmed_outside(store, judged));
  if (!entry) {
    return workspace_release_problem(
        ErrorCode::kRefused, kOp, judged.name, "not-confirmed",
        "its record names a directory outside of the home that the home's own list does "
        "not know as this workspace's");
  }
  HF_TRY(check_no_run(store, judged.name, kOp));
  HF_TRY(announce(judged));
  HF_TRY(remove_record(store, hold));
  // A mark that stays names a workspace that its home has no entry of any more: it says nothing.
  const auto dir = os::Dir::open(entry->directory);
  if (dir) static_cast<void>(unmark_owner(*dir, judged.id));
  return remove_outside(store, judged.id);
}

Result<WorkspaceRecord> end_assumed_gone(const SessionStore& store, const WorkspaceRecord& judged,
                                         std::string reason, const Clock& clock,
                                         const Announce& announce) {
  WorkspaceHold hold = HF_TRY(take_judged(store, judged, "end the workspace"));
  WorkspaceRecord record = judged;
  record.attached.clear();
  record.state = WorkspaceState::kEnded;
  record.ended = WorkspaceEnd{.at = clock.wall(), .reason = std::move(reason)};
  if (record.authority) record.former_authority = std::move(record.authority);
  record.authority.reset();
  HF_TRY(announce(record));
  HF_TRY(hold.write(std::move(record), os::Durability::kFull));
  return hold.record();
}

}  // namespace holdfast::session
