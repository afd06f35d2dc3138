// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <string>

#include "base/file_mode.h"
#include "base/id128.h"
#include "os/dir/dir_metadata.h"
#include "os/dir/staged_dir.h"
#include "os/machine/random.h"
#include "os/sys/os_error.h"

namespace holdfast::os {
namespace {

Result<> dress(const Dir& dir, std::uint32_t mode, std::optional<DirOwner> owner) {
  if (owner) HF_TRY(set_owner(dir, owner->uid, owner->gid));
  HF_TRY(set_mode(dir, mode));
  if (HF_TRY(dir.info()).mode == mode) return {};
  return fail({.code = ErrorCode::kRefused,
               .op = "set the mode of",
               .subject = dir.path(),
               .cause = "mode-not-set",
               .detail = "the system set another one; nothing was made"});
}

}  // namespace

Result<StagedDir> StagedDir::create(const Dir& parent, std::uint32_t mode,
                                    std::optional<DirOwner> owner) {
  const SafeName name = HF_TRY(SafeName::make(".hf-stage-" + to_hex(HF_TRY(random_id()))));
  if (HF_TRY(parent.make_dir(name, kPrivateDir)) == Made::kAlreadyThere) {
    return fail(os_error("create", parent.path_of(name), EEXIST, "nothing was created"));
  }
  StagedDir staged(parent, mode, owner, name);
  const Dir made = HF_TRY(parent.open_dir(name));
  HF_TRY(dress(made, mode, owner));
  return staged;
}

StagedDir::~StagedDir() {
  // Where it cannot be removed it stays behind, empty and recognisable.
  if (stage_name_) [[maybe_unused]]
    const auto removed = parent_->remove_dir(*stage_name_);
}

Result<Placed> StagedDir::publish_new(const SafeName& name, Durability durability) {
  if (durability == Durability::kNone) return give_name(name);
  if (HF_TRY(give_name(name)) == Placed::kNameTaken) return Placed::kNameTaken;
  const Result<> synced = parent_->sync();
  if (!synced) return fail(not_durable(synced.error()));
  return Placed::kPlaced;
}

Result<Placed> StagedDir::give_name(const SafeName& name) {
  const Result<Placed> renamed = parent_->rename_new(*stage_name_, name);
  if (renamed && *renamed == Placed::kPlaced) stage_name_.reset();
  if (!renamed && (renamed.error().os_code == EINVAL || renamed.error().os_code == ENOSYS)) {
    return make_in_place(name);
  }
  return renamed;
}

Result<Placed> StagedDir::make_in_place(const SafeName& name) {
  if (HF_TRY(parent_->make_dir(name, mode_)) == Made::kAlreadyThere) return Placed::kNameTaken;
  if (!owner_) return Placed::kPlaced;
  const auto dressed = [&]() -> Result<> {
    const Dir made = HF_TRY(parent_->open_dir(name));
    return dress(made, mode_, owner_);
  }();
  if (dressed) return Placed::kPlaced;
  Error error = dressed.error();
  const auto removed = parent_->remove_dir(name);
  error.detail += removed ? "; it was removed again" : "; it is there, new and empty";
  return fail(std::move(error));
}

}  // namespace holdfast::os
