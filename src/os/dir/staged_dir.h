// SPDX-License-Identifier: Apache-2.0
//
// StagedDir: a new directory that nobody finds under its name before it has its owner and mode.
//
// mkdir(2) takes the umask away from the mode and knows no owner; whoever sets them afterwards has
// a moment, or after a crash a lasting state, in which the directory is there and wrong. So it is
// made as `.hf-stage-<id>`, dressed, and renamed in one step that never replaces.
//
// Guarantee: after publish_new the directory is there with exactly `mode` and the owner, and, with
// kFull, the name is on stable storage (kNotDurable where only that failed). The death of the
// process leaves nothing under the name or the whole; it may leave the empty `.hf-stage-<id>`
// (is_stage_name).
//
// Limit: a file system without a rename that never replaces makes the directory in place, and the
// moment above is back. On Windows an owner is kRefused `unsupported`.
//
// Sequence: create → publish_new. Dropping it before that removes it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"

namespace holdfast::os {

struct DirOwner {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
};

class StagedDir {
 public:
  // `parent` must outlive it. Without an owner it is that of the process.
  static Result<StagedDir> create(const Dir& parent, std::uint32_t mode,
                                  std::optional<DirOwner> owner);

  StagedDir(StagedDir&& other) noexcept
      : parent_(other.parent_),
        mode_(other.mode_),
        owner_(other.owner_),
        stage_name_(std::exchange(other.stage_name_, std::nullopt)) {}
  StagedDir& operator=(StagedDir&&) = delete;
  StagedDir(const StagedDir&) = delete;
  StagedDir& operator=(const StagedDir&) = delete;
  ~StagedDir();

  [[nodiscard]] Result<Placed> publish_new(const SafeName& name,
                                           Durability durability = Durability::kFull);

 private:
  StagedDir(const Dir& parent, std::uint32_t mode, std::optional<DirOwner> owner, SafeName name)
      : parent_(&parent), mode_(mode), owner_(owner), stage_name_(std::move(name)) {}

  Result<Placed> give_name(const SafeName& name);
  Result<Placed> make_in_place(const SafeName& name);

  const Dir* parent_;
  std::uint32_t mode_;
  std::optional<DirOwner> owner_;
  std::optional<SafeName> stage_name_;
};

}  // namespace holdfast::os
