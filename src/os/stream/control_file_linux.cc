// SPDX-License-Identifier: Apache-2.0
#include "os/stream/control_file.h"

#include <linux/magic.h>

#include <algorithm>

#include "base/cause.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kFirstRead = 4096;

bool control_file_says_gone(int os_code) { return os_code == ENODEV || os_code == ENOENT; }

}  // namespace

Result<std::optional<ControlFile>> ControlFile::open(const Dir& dir, const SafeName& name,
                                                     ControlAccess access) {
  const int flags = (access == ControlAccess::kRead ? O_RDONLY : O_WRONLY) | O_NOFOLLOW | O_CLOEXEC;
  const int fd = retry_eintr(
      [&] { return sys().openat(static_cast<int>(dir.native()), name.c_str(), flags, 0); });
  if (fd >= 0) return ControlFile(Handle(fd), dir.path_of(name));
  if (control_file_says_gone(errno)) return std::nullopt;
  return fail(last_os_error("open", dir.path_of(name)));
}

Result<std::optional<std::size_t>> ControlFile::read_start(std::span<char> buffer) const {
  const ssize_t got =
      retry_eintr([&] { return sys().pread(fd_of(handle_), buffer.data(), buffer.size(), 0); });
  if (got >= 0) return static_cast<std::size_t>(got);
  if (control_file_says_gone(errno)) return std::nullopt;
  return fail(last_os_error("read", path_));
}

Result<std::optional<std::string>> ControlFile::read() const {
  std::string text(kFirstRead, '\0');
  std::size_t size = 0;
  for (;;) {
    const ssize_t got = retry_eintr([&] {
      return sys().pread(fd_of(handle_), text.data() + size, text.size() - size,
                         static_cast<off_t>(size));
    });
    if (got < 0 && control_file_says_gone(errno)) return std::nullopt;
    if (got < 0) return fail(last_os_error("read", path_));
    size += static_cast<std::size_t>(got);
    if (got == 0) break;
    if (size == kMaxControlText) {
      return fail({.code = ErrorCode::kRefused,
                   .op = "read",
                   .subject = path_,
                   .cause = cause::kTooLarge,
                   .detail = "it is longer than any that makes sense"});
    }
    if (size == text.size()) text.resize(std::min(2 * size, kMaxControlText));
  }
  text.resize(size);
  return text;
}

Result<bool> ControlFile::write(std::string_view value) const {
  const ssize_t wrote =
      retry_eintr([&] { return sys().write(fd_of(handle_), value.data(), value.size()); });
  if (wrote == static_cast<ssize_t>(value.size())) return true;
  if (wrote >= 0) return fail(os_error("write to", path_, EIO, "it took a part of the value"));
  if (errno == ENODEV) return false;
  return fail(last_os_error("write to", path_));
}

Result<std::optional<std::string>> read_control(const Dir& dir, const SafeName& name) {
  const auto file = HF_TRY(ControlFile::open(dir, name, ControlAccess::kRead));
  if (!file) return std::nullopt;
  return file->read();
}

Result<bool> write_control(const Dir& dir, const SafeName& name, std::string_view value) {
  const auto file = HF_TRY(ControlFile::open(dir, name, ControlAccess::kWrite));
  if (!file) return false;
  return file->write(value);
}

Result<CgroupVersion> cgroup_version(const Dir& dir) {
  struct statfs info{};
  if (retry_eintr([&] { return sys().fstatfs(static_cast<int>(dir.native()), &info); }) != 0) {
    return fail(last_os_error("find the file system of", dir.path()));
  }
  const auto magic = static_cast<std::uint32_t>(info.f_type);
  if (magic == CGROUP2_SUPER_MAGIC) return CgroupVersion::kV2;
  return magic == CGROUP_SUPER_MAGIC ? CgroupVersion::kV1 : CgroupVersion::kNone;
}

}  // namespace holdfast::os
