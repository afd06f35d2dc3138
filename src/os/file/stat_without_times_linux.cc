// SPDX-License-Identifier: Apache-2.0
#include "os/file/stat_without_times.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::uint32_t kPermissions = 07777;
constexpr unsigned kAllButTimes = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_INO;

FileId id_in(const struct statx& found) {
  return {.device = makedev(found.stx_dev_major, found.stx_dev_minor), .inode = found.stx_ino};
}

// A filter that does not know the call.
bool is_unknown_call(int os_code) { return os_code == ENOSYS || os_code == EPERM; }

// With the flags of Dir::open_file, and without a time of each read where the file is ours.
int timeless_open_at(const Dir& dir, const SafeName& name, Access access) {
  const int flags = (access == Access::kRead ? O_RDONLY : O_RDWR) | O_NOFOLLOW | O_NONBLOCK |
                    O_NOCTTY | O_CLOEXEC;
  const auto open = [&](int more) {
    return retry_eintr([&] {
      return sys().openat(static_cast<int>(dir.native()), name.c_str(), flags | more, 0);
    });
  };
  const int fd = open(O_NOATIME);
  return fd < 0 && errno == EPERM ? open(0) : fd;
}

Result<FileInfo> look(const File& file, unsigned wanted) {
  struct statx found{};
  if (sys().statx(static_cast<int>(file.native()), "", AT_EMPTY_PATH, wanted, &found) != 0) {
    if (is_unknown_call(errno)) return file.info();
    return fail(last_os_error("look at", file.path()));
  }
  FileInfo info;
  info.type = S_ISREG(found.stx_mode) ? FileType::kRegular : FileType::kOther;
  info.id = id_in(found);
  info.links = found.stx_nlink;
  info.mode = found.stx_mode & kPermissions;
  info.uid = found.stx_uid;
  return info;
}

}  // namespace

// Whatever is not an ordinary file is left to Dir::open_file, which has the words for it.
Result<std::optional<OpenedFile>> open_without_times(const Dir& dir, const SafeName& name,
                                                     Access access) {
  const int fd = timeless_open_at(dir, name, access);
  if (fd < 0 && errno == ENOENT) return std::nullopt;
  if (fd >= 0) {
    File file(Handle(fd), dir.path_of(name));
    const FileInfo info = HF_TRY(look(file, kAllButTimes));
    if (info.type == FileType::kRegular) return OpenedFile{.file = std::move(file), .info = info};
  }
  auto file = HF_TRY(dir.open_file(name, access));
  if (!file) return std::nullopt;
  const FileInfo info = HF_TRY(look(*file, kAllButTimes));
  return OpenedFile{.file = std::move(*file), .info = info};
}

Result<bool> has_name(const File& file) { return HF_TRY(look(file, STATX_NLINK)).links > 0; }

Result<std::optional<FileId>> id_of_path(const std::string& path) {
  struct statx found{};
  constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
  if (sys().statx(AT_FDCWD, path.c_str(), kFlags, STATX_TYPE | STATX_INO, &found) == 0)
    return id_in(found);
  if (errno == ENOENT) return std::nullopt;
  if (!is_unknown_call(errno)) return fail(last_os_error("look at", path));
  return HF_TRY(HF_TRY(Dir::open(path)).info()).id;
}

}  // namespace holdfast::os
