// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir.h"
#include "os/lock/byte_lock.h"
#include "os/lock/dir_lock.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"
#include "session/workspace/below.h"
#include "session/workspace/workspace.h"

namespace holdfast::session {
namespace {

constexpr int kNewcomersOfALock = 8;

WorkspaceLock held(os::File file) { return std::make_shared<const os::File>(std::move(file)); }

}  // namespace

Result<WorkspaceLock> lock_workspace_dir(const os::Dir& dir, Duration wait) {
  for (int i = 0; i < kNewcomersOfALock; ++i) {
    auto lock = HF_TRY(open_own_file(dir, workspace_lock_name()));
    if (!lock) {
      HF_TRY(dir.create_file(workspace_lock_name(), kPrivateFile));
      continue;
    }
    if (!HF_TRY(os::lock_file(*lock, wait))) return WorkspaceLock();
    // Whoever removed it meanwhile made room for another one, which somebody else may have.
    const auto named = dir.id_of(workspace_lock_name());
    if (named && *named && **named == HF_TRY(lock->info()).id) return held(*std::move(lock));
  }
  return WorkspaceLock();
}

Result<WorkspaceLock> make_workspace_lock(const os::Dir& dir) {
  auto lock = HF_TRY(dir.create_file(workspace_lock_name(), kPrivateFile));
  if (!lock || !HF_TRY(os::try_lock_file(*lock))) return WorkspaceLock();
  return held(*std::move(lock));
}

Result<StageLock> try_stage_lock(const os::Dir& dir) {
  auto file = HF_TRY(open_own_file(dir, workspace_lock_name()));
  if (!file) file = HF_TRY(dir.create_file(workspace_lock_name(), kPrivateFile));
  if (!file || !HF_TRY(os::try_lock_file(*file))) return StageLock{};
  return StageLock{.free = true, .lock = held(*std::move(file))};
}

os::NativeHandle handle_of(const WorkspaceLock& lock) {
  return lock ? static_cast<const os::File*>(lock.get())->native() : os::HandleTraits::nothing();
}

Result<> remove_workspace_lock(const os::Dir& dir) {
  HF_TRY(dir.remove_file(workspace_lock_name()));
  return {};
}

// A byte of the one description would not keep out its other bytes: all of them in one step.
Result<BelowShut> shut_below(const os::Dir& dir) {
  auto file = HF_TRY(open_own_file(dir, workspace_below_name(), os::Access::kReadWrite));
  if (!file) return BelowShut{.empty = true};  // none is made without the workspace's lock
  if (!HF_TRY(os::try_lock_bytes(*file, 0, 0, os::Share::kExclusive))) return BelowShut{};
  return BelowShut{.empty = true, .shut = held(*std::move(file))};
}

}  // namespace holdfast::session
