// SPDX-License-Identifier: Apache-2.0
//
// What nobody finds under its name until it is whole: a new file, a new directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

// Is what was written still there after a power cut, once the call has returned? There is no value
// for "torn": a name is given, or given anew, only to content that is on stable storage (rule F4).
//
//   kNone   a power cut soon after may take it back: the name then has what it had before, whole
//   kFull   it is there to stay
enum class Durability : std::uint8_t { kNone, kFull };

// StagedFile: a file that nobody can see until it is whole.
//
// Guarantee: until publish_new succeeds, no reader finds the file under its name; afterwards it is
// there with all its bytes and exactly its mode. The death of the process at any point leaves
// either nothing under the name or the whole file. publish_new never replaces an existing file.
//
// Durability: publish_new syncs the content before the name appears, so a power cut, too, leaves
// nothing or the whole file. With kFull it also syncs the directory afterwards; if only that fails
// the file is there, but a power cut may take it: kNotDurable.
//
// give_name syncs nothing: without a sync of the caller's own, a power cut soon after may leave the
// name with a part of the bytes or, commonly on xfs, with none. It is for a caller that has synced
// the content, or whose reader takes an empty or torn file for one that was never written. A record
// that has a name already is replaced by session/record/own_file.h, or synced by its caller.
//
// Limit: where the file system has no unnamed files (O_TMPFILE) a temporary name `.hf-stage-<id>`
// is used, locked by flock while it is filled; a crash then may leave it behind. is_stage_name
// tells these apart from anything else, so that a sweeper removes only them (file/replace/commit_lock.h).
//
// Errors: kOsRefused with cause `no-proc` where Linux before 6.10 needs /proc to name the file.
//
// Sequence: create → write_all … → publish_new. Dropping it before that removes every trace.
class StagedFile {
 public:
  // `dir` must outlive the StagedFile.
  static Result<StagedFile> create(const Dir& dir, std::uint32_t mode);

  StagedFile(StagedFile&& other) noexcept
      : dir_(other.dir_),
        file_(std::move(other.file_)),
        stage_name_(std::exchange(other.stage_name_, std::nullopt)) {}
  StagedFile& operator=(StagedFile&&) = delete;
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  ~StagedFile();

  [[nodiscard]] Result<> write_all(std::string_view bytes) { return file_.write_all(bytes); }
  // The file itself, for mode, owner, checks and syncs before it is published.
  [[nodiscard]] File& file() { return file_; }
  [[nodiscard]] const File& file() const { return file_; }
  // For a publisher of another kind (an exchange of names): the file gets its stage name now, where
  // it has none yet. Whatever has that name at the end is removed by the destructor, unless
  // forget_name() says that the caller has moved it.
  [[nodiscard]] Result<SafeName> take_stage_name();
  void forget_name() { stage_name_.reset(); }
  [[nodiscard]] Result<Placed> publish_new(const SafeName& name,
                                           Durability durability = Durability::kFull);
  [[nodiscard]] Result<Placed> give_name(const SafeName& name);

 private:
  StagedFile(const Dir& dir, File file, std::optional<SafeName> stage_name)
      : dir_(&dir), file_(std::move(file)), stage_name_(std::move(stage_name)) {}

  const Dir* dir_;
  File file_;
  // Engaged while a temporary name exists that is ours to remove.
  std::optional<SafeName> stage_name_;
};

// The lock of a directory whose files are replaced (file/replace/commit_lock.h). A crash leaves it behind
// as it does a stage, so it counts as one.
inline constexpr NameLiteral kDirLockName = ".hf-stage-lock"_name;

bool is_stage_name(std::string_view name);
// `.hf-stage-<id>`, which nobody has.
Result<SafeName> new_stage_name();

// StagedDir: a new directory that nobody finds under its name before it has its owner and mode.
//
// mkdir(2) takes the umask away from the mode and knows no owner; whoever sets them afterwards has
// a moment, or after a crash a lasting state, in which the directory is there and wrong. So it is
// made as `.hf-stage-<id>`, dressed, and renamed in one step that never replaces.
//
// Guarantee: after publish_new the directory is there with exactly `mode` and the owner, and the
// name is on stable storage (kNotDurable where only that failed); give_name leaves that sync to the
// caller. The death of the
// process leaves nothing under the name or the whole; it may leave the empty `.hf-stage-<id>`
// (is_stage_name).
//
// Limit: a file system without a rename that never replaces makes the directory in place, and the
// moment above is back. On Windows an owner is kRefused `unsupported`.
//
// Sequence: create → publish_new. Dropping it before that removes it.
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

  [[nodiscard]] Result<Placed> publish_new(const SafeName& name);
  [[nodiscard]] Result<Placed> give_name(const SafeName& name);

 private:
  StagedDir(const Dir& parent, std::uint32_t mode, std::optional<DirOwner> owner, SafeName name)
      : parent_(&parent), mode_(mode), owner_(owner), stage_name_(std::move(name)) {}

  Result<Placed> make_in_place(const SafeName& name);

  const Dir* parent_;
  std::uint32_t mode_;
  std::optional<DirOwner> owner_;
  std::optional<SafeName> stage_name_;
};

}  // namespace holdfast::os
