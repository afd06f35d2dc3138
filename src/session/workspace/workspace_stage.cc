// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/workspace_stage.h"

#include "base/cause.h"
#include "os/dir/dir.h"
#include "os/dir/dir_names.h"
#include "os/machine/random.h"
#include "session/record/layout.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::session {
namespace {

// A clean-up takes a stage in the microseconds before its lock is there.
constexpr int kMostStages = 16;

// Names have 128 random bits: what has such a name was not made by chance.
std::unexpected<Error> planted(std::string path) {
  return fail({.code = ErrorCode::kRefused,
               .op = "make",
               .subject = std::move(path),
               .cause = "stage-taken",
               .detail = "somebody put something there in this moment; it was not touched"});
}

}  // namespace

os::SafeName workspace_stage_name(const Id128& id) {
  return *os::SafeName::make(".hf-stage-" + to_hex(id));
}

Result<WorkspaceStage> WorkspaceStage::make(const os::Dir& parent, const Id128& id,
                                            const file::TreePlan* plan) {
  os::SafeName name = workspace_stage_name(id);
  if (HF_TRY(parent.make_dir(name, kPrivateDir)) == os::Made::kAlreadyThere) {
    return planted(parent.path_of(name));
  }
  auto dir = parent.open_dir(name);
  if (!dir) {
    [[maybe_unused]] const auto removed = parent.remove_dir(name);
    return fail(dir.error());
  }
  return WorkspaceStage(parent, std::move(name), *std::move(dir), plan);
}

WorkspaceStage::~WorkspaceStage() {
  if (!unnamed_) return;
  if (plan_ != nullptr) file::remove_copy(*plan_, dir_);
  // What cannot be removed stays behind, and its name says what it is.
  [[maybe_unused]] const auto record = dir_.remove_file(workspace_record_name());
  [[maybe_unused]] const auto lock = remove_workspace_lock(dir_);
  [[maybe_unused]] const auto removed = os::remove_open(*parent_, name_, dir_);
}

Result<LockedStage> WorkspaceStage::make_locked(const os::Dir& parent, const Id128& id,
                                                const file::TreePlan* plan) {
  Id128 name = id;
  for (int i = 0; i < kMostStages; ++i) {
    auto stage = make(parent, name, plan);
    if (!stage && stage.error().code != ErrorCode::kNotFound) return fail(stage.error());
    if (stage) {
      auto lock = make_workspace_lock(stage->dir());
      if (!lock && lock.error().code != ErrorCode::kNotFound) return fail(lock.error());
      if (lock && *lock) return LockedStage{*std::move(stage), *std::move(lock)};
    }
    name = HF_TRY(os::random_id());  // the one before may still be there
  }
  return planted(parent.path_of(workspace_stage_name(id)));
}

Result<> WorkspaceStage::write(const WorkspaceRecord& record) const {
  const std::string bytes = encode_workspace_record(record);
  if (bytes.size() > kMaxWorkspaceRecordBytes) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "write the record of",
                 .subject = "'" + record.name + "'",
                 .cause = cause::kTooLarge,
                 .detail = "with its fields it is longer than 1 MiB; nothing was made"});
  }
  auto file = HF_TRY(dir_.create_file(workspace_record_name(), kPrivateFile));
  if (!file) return planted(dir_.path_of(workspace_record_name()));
  HF_TRY(file->write_all(bytes));
  HF_TRY(file->sync());
  return file->close();
}

Result<os::Placed> WorkspaceStage::publish(const os::SafeName& name) {
  const os::Placed placed = HF_TRY(os::move_open(*parent_, name_, *parent_, name, dir_));
  if (placed == os::Placed::kPlaced) unnamed_ = false;
  return placed;
}

bool WorkspaceStage::take_back(const os::SafeName& name) {
  const auto here = dir_.info();
  const auto there = parent_->id_of(name);
  if (!here || !there || !*there || **there != here->id) return false;
  const auto renamed = os::move_open(*parent_, name, *parent_, name_, dir_);
  unnamed_ = renamed && *renamed == os::Placed::kPlaced;
  return unnamed_;
}

}  // namespace holdfast::session
