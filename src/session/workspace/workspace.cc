// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving of take(): we open the directory of a workspace and wait for its lock;
// gc, which has the lock, moves that directory to the trash and lets go; somebody makes a new
// workspace of the same name. We then hold the lock of a workspace in the trash. So with the lock
// in hand we look where the name leads now: to our directory, and nobody moves it as long as we
// hold the lock; to nothing, and there is no such workspace; to another one, and we begin again
// with that.
//
// The lock file may be missing where somebody removed it (workspace.h). Whoever removes the lock
// file of a held workspace defeats the lock; that is a stated limit, as for every lock file.
#include "session/workspace/workspace.h"

#include <algorithm>
#include <string>

#include "base/cause.h"
#include "os/machine/machine_id.h"
#include "os/machine/real_clock.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"
#include "session/workspace/below.h"

namespace holdfast::session {
namespace {

// The hostile interleaving of a run and a clean-up. `holdfast run --name X` begins in the directory
// of the workspace X while `gc` is about to move that directory to the trash. The lock of a name
// needs a ledger, which is made, synced and kept; to make one for each of a hundred thousand dead
// workspaces in which nothing was ever run costs more than removing them. So gc takes the name only
// where its ledger is there already, and what keeps the two apart is the workspace's own lock:
//
// - The run holds its name; then it opens the directory, takes harness.lock, and looks whether the
//   name in sessions/ still leads to what it has opened. Only then it writes its record, and lets
//   go.
// - gc takes harness.lock, then looks for the ledger. No ledger: no run has come as far as its
//   record, since a run makes the ledger before anything else. It may come now, but no further
//   than to harness.lock, which gc keeps until the directory has left its name. A ledger: gc
//   needs the name too, and does not wait for it.
//
// So either the run has the lock first, and gc finds its ledger, its name held or its record; or gc
// has it first, and the run waits, finds that the name leads elsewhere, and begins in a new
// directory, as if it had come a moment later. There is no order in which a run writes into the
// trash. Neither waits for what the other has while it holds what the other wants: gc never waits.
//
// A directory becomes a workspace only by a rename that brings harness.json with it
// (workspace_stage.h). So one that has no such file when it is opened has none later; but it may
// have had one, and be on its way out. So the name is looked at in every case. Whoever removes a
// directory takes its lock file with it, so a lock that cannot be made, too, says that it is gone.
constexpr int kWorkspaceLockMostNewcomers = 8;

// Removed between our making or opening it and our next step in it.
template <typename T>
bool gone(const Result<T>& result) {
  return !result && result.error().code == ErrorCode::kNotFound;
}

}  // namespace

Result<RunPlace> enter_for_run(const SessionStore& store, std::string_view name) {
  const os::SafeName file_name = HF_TRY(file_name_of(name));
  for (int i = 0; i < kWorkspaceLockMostNewcomers; ++i) {
    auto found = store.find_or_make(name);
    if (gone(found)) continue;
    if (!found) return fail(std::move(found).error());
    RunPlace place{.dir = *std::move(found), .lock = {}};
    const os::Dir& dir = place.dir.dir();
    if (HF_TRY(dir.id_of(workspace_record_name()))) {
      auto lock = lock_workspace_dir(dir, kWorkspaceLockWait);
      if (gone(lock)) continue;
      if (!lock) return fail(std::move(lock).error());
      if (!*lock) break;
      place.lock = *std::move(lock);
    }
    const auto leads_to = HF_TRY(store.dir().id_of(file_name));
    if (leads_to && *leads_to == HF_TRY(dir.info()).id) return place;
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "run in the workspace",
               .subject = "'" + std::string(name) + "'",
               .cause = cause::kWorkspaceBusy,
               .detail = "somebody else is changing it, or `gc` is removing it; nothing was "
                         "started"});
}

namespace {

constexpr int kWorkspaceMostNewcomers = 8;

std::unexpected<Error> busy(const std::string& name) {
  return fail({.code = ErrorCode::kBusy,
               .op = "lock the workspace",
               .subject = name,
               .cause = cause::kWorkspaceBusy,
               .detail = "somebody else is changing it, or `gc` is removing it"});
}

}  // namespace

Result<std::optional<WorkspaceRecord>> read_workspace(const os::Dir& dir, std::string_view name) {
  const auto file = HF_TRY(open_own_file(dir, workspace_record_name()));
  if (!file) return std::nullopt;
  // One byte more than any record has: what is longer is damaged, as decoding it will say.
  const std::string bytes = HF_TRY(file->read_at(0, kMaxWorkspaceRecordBytes + 1));
  WorkspaceRecord record = HF_TRY(decode_workspace_record(bytes, file->path()));
  if (record.name == name) return record;
  return fail(other_session(file->path(), record.name));
}

Result<std::optional<WorkspaceRecord>> read_workspace(const SessionStore& store,
                                                      std::string_view name) {
  const auto dir = HF_TRY(store.find(name));
  if (!dir) return std::nullopt;
  return read_workspace(dir->dir(), name);
}

Result<std::optional<WorkspaceHold>> WorkspaceHold::take(const SessionStore& store,
                                                         std::string_view name, Duration wait) {
  os::SafeName file_name = HF_TRY(file_name_of(name));
  for (int i = 0; i < kWorkspaceMostNewcomers; ++i) {
    auto dir = HF_TRY(open_own_dir(store.dir(), file_name));
    if (!dir) return std::nullopt;
    // Nothing is made in a directory that is not ours to lock.
    if (!HF_TRY(dir->id_of(workspace_record_name()))) return std::nullopt;
    auto locked = lock_workspace_dir(*dir, wait);
    if (!locked && locked.error().code == ErrorCode::kNotFound) continue;  // gone meanwhile
    WorkspaceLock lock = HF_TRY(std::move(locked));
    if (!lock) return busy(std::string(name));
    const auto here = HF_TRY(dir->info()).id;
    const auto leads_to = HF_TRY(store.dir().id_of(file_name));
    if (!leads_to) return std::nullopt;
    if (*leads_to != here) continue;
    auto record = HF_TRY(read_workspace(*dir, name));
    if (!record) return std::nullopt;
    return WorkspaceHold(store.dir(), *std::move(dir), std::move(file_name), std::move(lock),
                         *std::move(record));
  }
  return busy(std::string(name));
}

Result<> WorkspaceHold::write(WorkspaceRecord record, os::Durability durability) {
  record.change = record_.change + 1;
  const std::string bytes = encode_workspace_record(record);
  if (bytes.size() > kMaxWorkspaceRecordBytes) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "write the workspace's record",
                 .subject = dir_.path_of(workspace_record_name()),
                 .cause = cause::kTooLarge,
                 .detail = "with its fields it is longer than 1 MiB; nothing has changed"});
  }
  const bool first = record_.change == 1;
  auto written = replace_own_file(dir_, workspace_record_name(), bytes, durability);
  if (written && first && durability == os::Durability::kFull) {
    const auto synced = sessions_->sync();
    if (!synced) written = fail(not_durable(synced.error()));
  }
  if (written || written.error().code == ErrorCode::kNotDurable) record_ = std::move(record);
  return written;
}

Duration age_of(const BootMoment& moment, const BootMoment& now) {
  if (moment.timens != 0 && moment.timens != now.timens) return Duration::zero();
  if (moment.boot != now.boot) {
    // A container or a virtual machine that shares the home has boots of its own: what began there
    // may have begun this moment.
    const bool ours = moment.machine == Id128{} || moment.machine == now.machine;
    return ours ? Duration(now.boot_ns) : Duration::zero();
  }
  return Duration(std::max<std::int64_t>(now.boot_ns - moment.boot_ns, 0));
}

Result<BootMoment> boot_moment_now() {
  BootMoment now;
  now.boot = HF_TRY(os::boot_id());
  const auto self = HF_TRY(proc::own_identity());
  now.timens = self.timens;
  now.machine = self.machine;
  now.boot_ns = os::RealClock().boot().time_since_epoch().count();
  return now;
}

const Attachment* AttachedNow::owner() const {
  const auto found = std::ranges::find(there, false, &Attachment::guest);
  return found != there.end() ? &*found : nullptr;
}

namespace {

// Nothing: no run of it is there.
std::optional<std::string> evidence_of_run(const Id128& token, const os::Dir& dir,
                                           std::optional<Result<BelowNow>>& below) {
  if (!below) below.emplace(BelowNow::look(dir));
  const auto run = *below ? (*below)->run(token) : Result<bool>(fail(below->error()));
  if (!run) return "run-unknown";
  return *run ? std::optional<std::string>("run-below") : std::nullopt;
}

}  // namespace

AttachedNow attached_now(const WorkspaceRecord& record, const os::Dir* dir) {
  AttachedNow now;
  std::optional<Result<BelowNow>> below;
  for (const Attachment& attachment : record.attached) {
    std::string evidence = "no-process";
    if (attachment.process) {
      proc::LifeVerdict verdict = proc::judge(proc::from_record(*attachment.process));
      evidence = std::move(verdict.evidence);
      if (verdict.life == proc::Life::kDead) {
        if (dir == nullptr) continue;
        auto by_run = evidence_of_run(attachment.token, *dir, below);
        if (!by_run) continue;
        evidence = *std::move(by_run);
      }
    }
    now.there.push_back(attachment);
    now.evidence.push_back(std::move(evidence));
  }
  return now;
}

}  // namespace holdfast::session
