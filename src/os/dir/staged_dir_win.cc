// SPDX-License-Identifier: Apache-2.0
//
// The access list is given at birth, so the stage is what it shall be from its first moment. The
// rename that publishes it decides "is the name free?" and takes it in one step; where somebody has
// just looked into the stage (a scanner), it is kBusy, and nothing is left.
#include "os/dir/staged_dir.h"
#include "os/machine/random.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

Result<StagedDir> StagedDir::create(const Dir& parent, std::uint32_t mode,
                                    std::optional<DirOwner> owner) {
  if (owner) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "give an owner by number to a directory in",
                 .subject = parent.path(),
                 .cause = "unsupported",
                 .detail = "users have no numbers on Windows; nothing was created"});
  }
  const SafeName name = HF_TRY(SafeName::make(".hf-stage-" + to_hex(HF_TRY(random_id()))));
  if (HF_TRY(parent.make_dir(name, mode)) == Made::kAlreadyThere) {
    return fail(
        win_error("create", parent.path_of(name), ERROR_ALREADY_EXISTS, "nothing was created"));
  }
  return StagedDir(parent, mode, owner, name);
}

StagedDir::~StagedDir() {
  // Where it cannot be removed it stays behind, empty and recognisable.
  if (stage_name_) static_cast<void>(parent_->remove_dir(*stage_name_));
}

Result<Placed> StagedDir::publish_new(const SafeName& name, Durability) {
  return give_name(name);  // which is written through (dir_win.cc)
}

Result<Placed> StagedDir::give_name(const SafeName& name) {
  if (!stage_name_) {
    return fail(win_error("create", parent_->path_of(name), ERROR_INVALID_HANDLE,
                          "the directory was published before"));
  }
  const Placed placed = HF_TRY(parent_->rename_new(*stage_name_, name));
  if (placed == Placed::kPlaced) stage_name_.reset();
  return placed;
}

}  // namespace holdfast::os
