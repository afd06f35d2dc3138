// SPDX-License-Identifier: Apache-2.0
//
// WorkspaceStage: a directory that is filled before anybody finds it under its name.
// (os/file/staged_file.h is for empty ones.)
//
// Sequence: make or make_locked → fill dir() → publish. Dropping it before that removes what was
// made here: the files of ours and the copy of `plan`; what cannot be removed stays under the
// stage's name.
//
// Internal to workspace_new.
#pragma once

#include <optional>

#include "base/id128.h"
#include "base/result.h"
#include "file/tree/copy_tree.h"
#include "format/session/workspace_record.h"
#include "os/dir/dir.h"
#include "session/workspace/workspace.h"

namespace holdfast::session {

struct LockedStage;

class WorkspaceStage {
 public:
  // As make, and with the workspace's lock. Where a clean-up takes the stage before it has its
  // lock, for that of a maker who died, another one is made.
  static Result<LockedStage> make_locked(const os::Dir& parent, const Id128& id,
                                         const file::TreePlan* plan);
  // Both must outlive it; `plan` may be null.
  static Result<WorkspaceStage> make(const os::Dir& parent, const Id128& id,
                                     const file::TreePlan* plan);

  WorkspaceStage(WorkspaceStage&& other) noexcept
      : parent_(other.parent_),
        name_(std::move(other.name_)),
        dir_(std::move(other.dir_)),
        plan_(other.plan_),
        unnamed_(std::exchange(other.unnamed_, false)) {}
  WorkspaceStage& operator=(WorkspaceStage&&) = delete;
  WorkspaceStage(const WorkspaceStage&) = delete;
  WorkspaceStage& operator=(const WorkspaceStage&) = delete;
  ~WorkspaceStage();

  [[nodiscard]] const os::Dir& dir() const { return dir_; }
  // A new, synced harness.json.
  [[nodiscard]] Result<> write(const WorkspaceRecord& record) const;
  // Never replaces. The parent is not synced.
  [[nodiscard]] Result<os::Placed> publish(const os::SafeName& name);
  // The published directory becomes a stage again, and goes. True: it did.
  [[nodiscard]] bool take_back(const os::SafeName& name);

 private:
  WorkspaceStage(const os::Dir& parent, os::SafeName name, os::Dir dir, const file::TreePlan* plan)
      : parent_(&parent), name_(std::move(name)), dir_(std::move(dir)), plan_(plan) {}

  const os::Dir* parent_;
  os::SafeName name_;
  os::Dir dir_;
  const file::TreePlan* plan_;
  bool unnamed_ = true;  // it has its stage name
};

struct LockedStage {
  WorkspaceStage stage;
  WorkspaceLock lock;
};

}  // namespace holdfast::session
