// SPDX-License-Identifier: Apache-2.0
//
// HarnessStage: a directory that is filled before anybody finds it under its name. (os/file/staged_file.h
// is for empty ones.)
//
// Sequence: make or make_locked → fill dir() → publish. Dropping it before that removes what was made here: the
// files of ours and the copy of `plan`; what cannot be removed stays under the stage's name.
//
// Internal to harness_new.
#pragma once

#include <optional>

#include "base/id128.h"
#include "base/result.h"
#include "file/tree/copy_tree.h"
#include "format/session/harness_record.h"
#include "os/dir/dir.h"
#include "session/workspace/harness.h"

namespace holdfast::session {

struct LockedStage;

class HarnessStage {
 public:
  // As make, and with the session's lock. Where a clean-up takes the stage before it has its lock,
  // for that of a maker who died, another one is made.
  static Result<LockedStage> make_locked(const os::Dir& parent, const Id128& id,
                                         const file::TreePlan* plan);
  // Both must outlive it; `plan` may be null.
  static Result<HarnessStage> make(const os::Dir& parent, const Id128& id,
                                   const file::TreePlan* plan);

  HarnessStage(HarnessStage&& other) noexcept
      : parent_(other.parent_),
        name_(std::move(other.name_)),
        dir_(std::move(other.dir_)),
        plan_(other.plan_),
        unnamed_(std::exchange(other.unnamed_, false)) {}
  HarnessStage& operator=(HarnessStage&&) = delete;
  HarnessStage(const HarnessStage&) = delete;
  HarnessStage& operator=(const HarnessStage&) = delete;
  ~HarnessStage();

  [[nodiscard]] const os::Dir& dir() const { return dir_; }
  // A new, synced harness.json.
  [[nodiscard]] Result<> write(const HarnessRecord& record) const;
  // Never replaces. The parent is not synced.
  [[nodiscard]] Result<os::Placed> publish(const os::SafeName& name);
  // The published directory becomes a stage again, and goes. True: it did.
  [[nodiscard]] bool take_back(const os::SafeName& name);

 private:
  HarnessStage(const os::Dir& parent, os::SafeName name, os::Dir dir, const file::TreePlan* plan)
      : parent_(&parent), name_(std::move(name)), dir_(std::move(dir)), plan_(plan) {}

  const os::Dir* parent_;
  os::SafeName name_;
  os::Dir dir_;
  const file::TreePlan* plan_;
  bool unnamed_ = true;  // it has its stage name
};

struct LockedStage {
  HarnessStage stage;
  HarnessLock lock;
};

}  // namespace holdfast::session
