// SPDX-License-Identifier: Apache-2.0
#include "os/timeless.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "os/native_linux.h"
#include "os/os_error.h"
#include "os/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::uint32_t kPermissions = 07777;

FileId id_in(const struct statx& found) {
  return {.device = makedev(found.stx_dev_major, found.stx_dev_minor), .inode = found.stx_ino};
}

// A filter that does not know the call.
bool is_unknown_call(int os_code) { return os_code == ENOSYS || os_code == EPERM; }

// As Dir::open_file has them.
int open_flags(Access access) {
  const int how = access == Access::kRead ? O_RDONLY : O_RDWR;
  return how | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
}

Result<FileInfo> look(const File& file) {
  constexpr unsigned kWanted = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_INO;
  struct statx found{};
  if (sys().statx(static_cast<int>(file.native()), "", AT_EMPTY_PATH, kWanted, &found) != 0) {
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
  const int fd = retry_eintr([&] {
    return sys().openat(static_cast<int>(dir.native()), name.c_str(), open_flags(access), 0);
  });
  if (fd < 0 && errno == ENOENT) return std::nullopt;
  if (fd >= 0) {
    File file(Handle(fd), dir.path_of(name));
    FileInfo info = HF_TRY(look(file));
    if (info.type == FileType::kRegular)
      return OpenedFile{.file = std::move(file), .info = std::move(info)};
  }
  auto file = HF_TRY(dir.open_file(name, access));
  if (!file) return std::nullopt;
  FileInfo info = HF_TRY(look(*file));
  return OpenedFile{.file = std::move(*file), .info = std::move(info)};
}

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
