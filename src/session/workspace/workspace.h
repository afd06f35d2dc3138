// SPDX-License-Identifier: Apache-2.0
//
// Workspaces: the directory, its record, and who may change it.
//
//   sessions/<escaped name>/
//     harness.json    0600  the record (format/session/workspace_record.h)
//     harness.lock    0600  locked by whoever changes the record, or removes the workspace
//     …                     what store.h names, and the harness's own files
//
// Guarantees: the record is replaced whole. A change happens under the lock of a workspace that is
// still the one with that name: whoever waited for the lock of one that went to the trash meanwhile
// gets kNotFound. What lies at a name of ours and is not a plain file of the caller's own is
// kRefused and is not read. A record that cannot be read is an Error, never "no workspace".
//
// The lock is the kernel's (flock): it ends with its holder, so there is none that is stale. It is
// never held while anybody is asked to do something but in `gc`, around `--rescue` and the last
// probe.
//
// Errors: kBusy `workspace-busy` where the lock was not had in time; those of store.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/workspace_record.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"
#include "os/sys/handle.h"
#include "session/record/store.h"

namespace holdfast::session {

// The lock of a workspace (`harness.lock` in its directory; on Windows a byte of one file in
// sessions/), and the way of a run into a directory that may be such a workspace's.
//
// The lock is the kernel's: it ends with its holder. Whoever holds it has the directory that was
// opened; whether the name still leads there is for the caller to look at afterwards.

// Held as long as a copy of it is there.
using WorkspaceLock = std::shared_ptr<const void>;

// Made anew where somebody removed it. Null: not in time (a `wait` of 0 tries once).
Result<WorkspaceLock> lock_workspace_dir(const os::Dir& dir, Duration wait);

// For a directory that was just made: null where somebody was faster.
Result<WorkspaceLock> make_workspace_lock(const os::Dir& dir);

// Is the maker of a stage still at work? Free, and nobody gets it as long as `lock` is there. If
// the maker had not come as far as its lock it is made here, and a maker who finds it made, or
// taken, begins another stage: so the lock alone decides whose the stage is.
struct StageLock {
  bool free = false;
  WorkspaceLock lock{};
};
Result<StageLock> try_stage_lock(const os::Dir& dir);

// For a child that is to hold it too: the lock ends with the last of them. Nothing on Windows,
// where a lock ends with its process.
os::NativeHandle handle_of(const WorkspaceLock& lock);

// Before the directory goes.
Result<> remove_workspace_lock(const os::Dir& dir);

// The directory of a workspace, made where there is none, for a run that holds the lock of its name
// and is about to write its first record.
//
// Guarantee: as long as this object is there, the directory keeps its name: `gc` moves the
// directory of a workspace only under the lock that is held here, and that of any other
// only with the name of the run. Once the record is written, it protects itself.
//
// Errors: kBusy `workspace-busy` where the lock was not had in time: somebody changes the
// workspace, or `gc` is about to remove it; of store.h.
struct RunPlace {
  SessionDir dir;
  WorkspaceLock lock;  // null: no workspace
};
Result<RunPlace> enter_for_run(const SessionStore& store, std::string_view name);

inline constexpr Duration kWorkspaceLockWait = std::chrono::seconds(5);

// nullopt: there is no such directory, or it is no workspace.
Result<std::optional<WorkspaceRecord>> read_workspace(const SessionStore& store,
                                                      std::string_view name);
// The same in an open directory, whose name must be the record's.
Result<std::optional<WorkspaceRecord>> read_workspace(const os::Dir& dir, std::string_view name);

// A workspace whose record nobody else changes as long as this object is there.
class WorkspaceHold {
 public:
  // nullopt: as read_workspace. A `wait` of 0 tries once.
  static Result<std::optional<WorkspaceHold>> take(const SessionStore& store, std::string_view name,
                                                   Duration wait);

  [[nodiscard]] const WorkspaceRecord& record() const { return record_; }
  [[nodiscard]] const os::Dir& dir() const { return dir_; }
  // For a child that is to hold it too; nothing where no child can.
  [[nodiscard]] os::NativeHandle lock_handle() const { return handle_of(lock_); }
  [[nodiscard]] os::Dir& dir_to_move() { return dir_; }  // for os/dir/dir_names.h
  [[nodiscard]] const os::SafeName& file_name() const { return file_name_; }  // in sessions/
  // `record` becomes the record, with `change` one above; a power cut leaves the whole old or the
  // whole new one, whatever `durability` (own_file.h). kRefused `too-large`. The first durable
  // change makes the workspace's name durable as well (workspace_new.h). Not after its store is
  // gone.
  Result<> write(WorkspaceRecord record, os::Durability durability);

 private:
  WorkspaceHold(const os::Dir& sessions, os::Dir dir, os::SafeName file_name, WorkspaceLock lock,
                WorkspaceRecord record)
      : sessions_(&sessions),
        dir_(std::move(dir)),
        file_name_(std::move(file_name)),
        lock_(std::move(lock)),
        record_(std::move(record)) {}

  const os::Dir* sessions_;
  os::Dir dir_;
  os::SafeName file_name_;
  WorkspaceLock lock_;
  WorkspaceRecord record_;
};

// How long ago on the boot clock; of an earlier boot, how long this boot has lasted. Of another
// time namespace, whose clock may be shifted by years: 0.
Duration age_of(const BootMoment& moment, const BootMoment& now);
Result<BootMoment> boot_moment_now();

// Is anybody attached? Judged by the kernel (proc/identity/verdict.h): the dead are told from the
// live, and whom nobody can judge counts as there.
struct AttachedNow {
  std::vector<Attachment> there{};      // live, or not to be judged, or without a process
  std::vector<std::string> evidence{};  // for each of them: "running", "other-pid-namespace", …
  // Of `there`; nullopt: nobody owns it.
  [[nodiscard]] const Attachment* owner() const;
};
// `dir` is that of the workspace: an attachment lasts as long as a run that was started below it
// (below.h). Null: that is not asked.
AttachedNow attached_now(const WorkspaceRecord& record, const os::Dir* dir = nullptr);

}  // namespace holdfast::session
