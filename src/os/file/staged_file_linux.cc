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
#include <sys/file.h>

#include <string>

#include "os/file/staged_file.h"
#include "os/machine/random.h"
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

Result<SafeName> new_stage_name() {
  return SafeName::make(".hf-stage-" + to_hex(HF_TRY(random_id())));
}

// Some file systems (EINVAL) and kernels (ENOSYS) have no rename that never replaces; a hard link
// is as exclusive, and leaves the stage's own name to be removed.
bool exclusive_rename_is_missing(const Error& error) {
  return error.os_code == EINVAL || error.os_code == ENOSYS;
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

Result<Placed> StagedFile::publish_new(const SafeName& name, Durability durability) {
  if (durability == Durability::kNone) return give_name(name);
  HF_TRY(file_.sync());
  if (HF_TRY(give_name(name)) == Placed::kNameTaken) return Placed::kNameTaken;
  const Result<> synced = dir_->sync();
  if (!synced) return fail(not_durable(synced.error()));
  return Placed::kPlaced;
}

}  // namespace holdfast::os
