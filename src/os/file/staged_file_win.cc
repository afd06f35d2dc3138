// SPDX-License-Identifier: Apache-2.0
//
// Windows has no unnamed files: a stage always has its temporary name, and a crash may leave it.
// The rename that publishes it decides "is the name free?" and takes it in one step inside the
// kernel; of two creators exactly one wins. (Under Wine 8 the server looks first and renames then;
// there the single step is true by reading only.)
#include "os/file/staged_file.h"

#include "os/lock/dir_lock.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

Result<StagedFile> StagedFile::create(const Dir& dir, std::uint32_t mode) {
  const SafeName name = HF_TRY(new_stage_name());
  std::optional<File> file = HF_TRY(dir.create_file(name, mode));
  if (!file) {
    return fail(win_error("create", dir.path_of(name), ERROR_FILE_EXISTS, "nothing was created"));
  }
  // So that a sweeper of left-over stages sees that it is in use, however long it takes.
  if (!HF_TRY(try_lock_file(*file))) {
    return fail(win_error("create", dir.path_of(name), ERROR_LOCK_VIOLATION, "a stage is left"));
  }
  return StagedFile(dir, std::move(*file), name);
}

StagedFile::~StagedFile() {
  if (!stage_name_) return;
  static_cast<void>(file_.close());  // an open file may keep its name until it is closed
  static_cast<void>(dir_->remove_file(*stage_name_));
}

Result<Placed> StagedFile::give_name(const SafeName& name) {
  if (!stage_name_) {
    return fail(win_error("create", dir_->path_of(name), ERROR_INVALID_HANDLE,
                          "the file was published before"));
  }
  const Placed placed = HF_TRY(dir_->rename_new(*stage_name_, name));
  if (placed == Placed::kPlaced) {
    stage_name_.reset();
    unlock_file(file_);  // it is a file like any other now
  }
  return placed;
}

Result<SafeName> StagedFile::take_stage_name() {
  if (stage_name_) return *stage_name_;
  return fail(
      win_error("name", file_.path(), ERROR_INVALID_HANDLE, "the file was published before"));
}

// The access list is given at birth, so the stage is what it shall be from its first moment. The
// rename that publishes it decides "is the name free?" and takes it in one step; where somebody has
// just looked into the stage (a scanner), it is kBusy, and nothing is left.
Result<StagedDir> StagedDir::create(const Dir& parent, std::uint32_t mode,
                                    std::optional<DirOwner> owner) {
  if (owner) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "give an owner by number to a directory in",
                 .subject = parent.path(),
                 .cause = "unsupported",
                 .detail = "users have no numbers on Windows; nothing was created"});
  }
  const SafeName name = HF_TRY(new_stage_name());
  if (HF_TRY(parent.make_dir(name, mode)) == Made::kAlreadyThere) {
    return fail(
        win_error("create", parent.path_of(name), ERROR_ALREADY_EXISTS, "nothing was created"));
  }
  return StagedDir(parent, mode, owner, name);
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
