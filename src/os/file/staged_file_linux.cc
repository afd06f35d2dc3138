// SPDX-License-Identifier: Apache-2.0
//
// Two ways to stage, one promise.
//
// Unnamed (O_TMPFILE): the file has no name at all until linkat gives it one; a crash leaves
// nothing. Named: `.hf-stage-<id>` and a rename that never replaces.
//
// Neither way tests "is the name free?" first: two creators would both see it free. linkat and
// RENAME_NOREPLACE decide and act in one step inside the kernel; exactly one wins, the other is
// told kNameTaken and may read the winner's file, which is whole from the moment it can be seen.
#include "os/file/staged_file.h"

#include <sys/file.h>

#include <cerrno>
#include <string>

#include "os/dir/dir.h"
#include "os/dir/dir_metadata.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

// What file systems and old kernels answer where O_TMPFILE is missing.
bool tmpfile_is_missing(int os_code) {
  return os_code == EOPNOTSUPP || os_code == EISDIR || os_code == EINVAL || os_code == ENOSYS ||
         os_code == ENOENT;
}

int link_unnamed(int fd, int dir, const char* name) {
  if (sys().linkat(fd, "", dir, name, AT_EMPTY_PATH) == 0) return 0;
  // Before Linux 6.10 an empty path needs a capability; without it the answer is ENOENT.
  if (errno != ENOENT) return -1;
  const std::string self = "/proc/self/fd/" + std::to_string(fd);
  return sys().linkat(AT_FDCWD, self.c_str(), dir, name, AT_SYMLINK_FOLLOW);
}

// linkat says ENOENT for two things that a caller must tell apart: the directory was removed, or
// neither way of naming an unnamed file is open to us (no capability, an older kernel, no /proc).
Error cannot_link_unnamed(const Dir& dir, const SafeName& name) {
  Error error = last_os_error("create", dir.path_of(name), "nothing was created");
  struct stat info{};
  const bool dir_is_gone =
      sys().fstat(static_cast<int>(dir.native()), &info) == 0 && info.st_nlink == 0;
  if (error.os_code != ENOENT || dir_is_gone) return error;
  error.code = ErrorCode::kOsRefused;
  error.cause = "no-proc";
  error.detail =
      "before Linux 6.10 a new file gets its name through /proc, which is not mounted here; "
      "nothing "
      "was created";
  return error;
}

// Some file systems (EINVAL) and kernels (ENOSYS) have no rename that never replaces; a hard link
// is as exclusive, and leaves the stage's own name to be removed.
bool exclusive_rename_is_missing(const Error& error) {
  return error.os_code == EINVAL || error.os_code == ENOSYS;
}

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

Result<StagedFile> StagedFile::create(const Dir& dir, std::uint32_t mode) {
  const int dir_fd = static_cast<int>(dir.native());
  const int fd =
      retry_eintr([&] { return sys().openat(dir_fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); });
  if (fd >= 0) {
    File file(Handle(fd), dir.path() + "/(new file)");
    if (sys().fchmod(fd, mode) != 0) {
      return fail(
          last_os_error("set the mode of a new file in", dir.path(), "nothing was created"));
    }
    return StagedFile(dir, std::move(file), std::nullopt);
  }
  if (!tmpfile_is_missing(errno)) {
    return fail(last_os_error("create a file in", dir.path(), "nothing was created"));
  }
  const SafeName name = HF_TRY(new_stage_name());
  std::optional<File> file = HF_TRY(dir.create_file(name, mode));
  if (!file) return fail(os_error("create", dir.path_of(name), EEXIST, "nothing was created"));
  // For a sweeper: somebody lives who fills it. Where there are no locks, its age must do.
  retry_eintr([&] { return sys().flock(static_cast<int>(file->native()), LOCK_EX | LOCK_NB); });
  return StagedFile(dir, std::move(*file), name);
}

StagedFile::~StagedFile() {
  if (stage_name_) sys().unlinkat(static_cast<int>(dir_->native()), stage_name_->c_str(), 0);
}

Result<Placed> StagedFile::give_name(const SafeName& name) {
  const int dir = static_cast<int>(dir_->native());
  int linked = -1;
  if (stage_name_) {
    const Result<Placed> renamed = dir_->rename_new(*stage_name_, name);
    if (renamed && *renamed == Placed::kPlaced) stage_name_.reset();
    if (renamed || !exclusive_rename_is_missing(renamed.error())) return renamed;
    linked = sys().linkat(dir, stage_name_->c_str(), dir, name.c_str(), 0);
    // Published; if the stage's own name cannot go now, the destructor tries once more.
    if (linked == 0 && sys().unlinkat(dir, stage_name_->c_str(), 0) == 0) stage_name_.reset();
  } else {
    linked = link_unnamed(static_cast<int>(file_.native()), dir, name.c_str());
  }
  if (linked == 0) return Placed::kPlaced;
  if (errno == EEXIST) return Placed::kNameTaken;
  if (!stage_name_) return fail(cannot_link_unnamed(*dir_, name));
  return fail(last_os_error("create", dir_->path_of(name), "nothing was created"));
}

Result<SafeName> StagedFile::take_stage_name() {
  if (stage_name_) return *stage_name_;
  SafeName name = HF_TRY(new_stage_name());
  const int dir = static_cast<int>(dir_->native());
  if (link_unnamed(static_cast<int>(file_.native()), dir, name.c_str()) != 0) {
    return fail(cannot_link_unnamed(*dir_, name));
  }
  stage_name_ = name;
  return name;
}

Result<StagedDir> StagedDir::create(const Dir& parent, std::uint32_t mode,
                                    std::optional<DirOwner> owner) {
  const SafeName name = HF_TRY(new_stage_name());
  if (HF_TRY(parent.make_dir(name, kPrivateDir)) == Made::kAlreadyThere) {
    return fail(os_error("create", parent.path_of(name), EEXIST, "nothing was created"));
  }
  StagedDir staged(parent, mode, owner, name);
  const Dir made = HF_TRY(parent.open_dir(name));
  HF_TRY(dress(made, mode, owner));
  return staged;
}

Result<Placed> StagedDir::give_name(const SafeName& name) {
  Result<Placed> renamed = parent_->rename_new(*stage_name_, name);
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
