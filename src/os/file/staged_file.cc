// SPDX-License-Identifier: Apache-2.0
#include "os/file/staged_file.h"

#include <string>

#include "base/id128.h"
#include "os/machine/random.h"

namespace holdfast::os {
namespace {

constexpr std::string_view kStagePrefix = ".hf-stage-";

}  // namespace

bool is_stage_name(std::string_view name) {
  if (name == kDirLockName.text()) return true;
  return name.starts_with(kStagePrefix) &&
         parse_id128(name.substr(kStagePrefix.size())).has_value();
}

Result<SafeName> new_stage_name() {
  return SafeName::make(std::string(kStagePrefix) + to_hex(HF_TRY(random_id())));
}

Result<Placed> StagedFile::publish_new(const SafeName& name, Durability durability) {
  HF_TRY(file_.sync());
  if (HF_TRY(give_name(name)) == Placed::kNameTaken) return Placed::kNameTaken;
  if (durability == Durability::kNone) return Placed::kPlaced;
  Result<> synced = file_.sync_name();
  if (synced) synced = dir_->sync();
  if (!synced) return fail(not_durable(synced.error()));
  return Placed::kPlaced;
}

StagedDir::~StagedDir() {
  // Where it cannot be removed it stays behind, empty and recognisable.
  if (stage_name_) static_cast<void>(parent_->remove_dir(*stage_name_));
}

Result<Placed> StagedDir::publish_new(const SafeName& name) {
  if (HF_TRY(give_name(name)) == Placed::kNameTaken) return Placed::kNameTaken;
  const Result<> synced = parent_->sync();
  if (!synced) return fail(not_durable(synced.error()));
  return Placed::kPlaced;
}

}  // namespace holdfast::os
