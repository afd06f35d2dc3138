// SPDX-License-Identifier: Apache-2.0
//
// A file that is open in a directory keeps that directory in its place, and `gc` moves it while it
// has the lock. So there is no harness.lock in the directory: the lock is a byte of one file beside
// all of them (os/dir/dir_names.h). For a workspace in the trash that file is the one of sessions/
// too, so that the lock goes with it on its way there and back.
#include "base/path_text.h"
#include "os/dir/dir_names.h"
#include "session/record/layout.h"
#include "session/workspace/below.h"
#include "session/workspace/workspace.h"

namespace holdfast::session {
namespace {

Result<os::Dir> beside(const os::Dir& dir) {
  std::string_view above = parent_path(dir.path());
  if (last_component(above) == trash_dir_name().text()) above = parent_path(above);
  return os::Dir::open(std::string(above));
}

}  // namespace

Result<WorkspaceLock> lock_workspace_dir(const os::Dir& dir, Duration wait) {
  return os::hold_dir(HF_TRY(beside(dir)), dir, workspace_holds_name(), wait);
}

Result<WorkspaceLock> make_workspace_lock(const os::Dir& dir) {
  return lock_workspace_dir(dir, Duration::zero());
}

Result<StageLock> try_stage_lock(const os::Dir& dir) {
  WorkspaceLock lock = HF_TRY(lock_workspace_dir(dir, Duration::zero()));
  return StageLock{.free = lock != nullptr, .lock = std::move(lock)};
}

os::NativeHandle handle_of(const WorkspaceLock& /*lock*/) { return os::HandleTraits::nothing(); }

Result<> remove_workspace_lock(const os::Dir& /*dir*/) { return {}; }

// Whoever opens the file before the directory is moved keeps it in its place.
Result<BelowShut> shut_below(const os::Dir& dir) {
  return BelowShut{.empty = !HF_TRY(BelowNow::look(dir)).anybody()};
}

}  // namespace holdfast::session
