// SPDX-License-Identifier: Apache-2.0
#include "os/dir/read_beneath.h"

#include <array>
#include <cstring>

#include "base/cause.h"
#include "os/sys/native_linux.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

using Kind = BeneathRead::Kind;

constexpr int kOpenFile = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
constexpr int kReadBeneathOpenDir = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int kReadBeneathEagainTries = 16;
constexpr std::size_t kLongestPath = 512;

int open_in_steps(int dir, const char* directory, const char* file) {
  const Handle step(
      retry_eintr([&] { return sys().openat(dir, directory, kReadBeneathOpenDir, 0); }));
  if (!step.valid()) return -1;
  return retry_eintr([&] { return sys().openat(fd_of(step), file, kOpenFile, 0); });
}

int open_beneath(int dir, const char* directory, const char* file) {
  std::array<char, kLongestPath> path;
  const std::size_t first = std::strlen(directory);
  const std::size_t second = std::strlen(file);
  if (first + second + 2 > path.size()) return open_in_steps(dir, directory, file);
  std::memcpy(path.data(), directory, first);
  path[first] = '/';
  std::memcpy(path.data() + first + 1, file, second + 1);
  open_how how{};
  how.flags = static_cast<std::uint64_t>(kOpenFile);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
  for (int i = 0; i < kReadBeneathEagainTries; ++i) {
    const int fd = retry_eintr([&] { return sys().openat2(dir, path.data(), &how); });
    if (fd >= 0) return fd;
    if (errno == ENOSYS || errno == EPERM) break;
    if (errno != EAGAIN) return -1;
  }
  return open_in_steps(dir, directory, file);
}

BeneathRead read_beneath_refused(std::string_view cause) {
  return {.kind = Kind::kRefused, .cause = cause};
}
BeneathRead failed() { return {.kind = Kind::kFailed, .os_code = errno}; }

BeneathRead read_beneath_explain_open() {
  switch (errno) {
    case ENOENT:
      return {.kind = Kind::kNotThere};
    case ELOOP:
      return read_beneath_refused(cause::kIsLink);
    case ENOTDIR:
      return read_beneath_refused(cause::kNotADirectory);
    case EXDEV:
      return read_beneath_refused("is-mount");
    case ENXIO:
      return read_beneath_refused(cause::kNotARegularFile);
    default:
      return failed();
  }
}

}  // namespace

BeneathRead read_own_beneath(const Dir& dir, const char* directory, const char* file,
                             std::span<char> buffer) {
  const Handle handle(open_beneath(static_cast<int>(dir.native()), directory, file));
  if (!handle.valid()) return read_beneath_explain_open();
  struct stat info{};
  if (sys().fstat(fd_of(handle), &info) != 0) return failed();
  if (!S_ISREG(info.st_mode)) return read_beneath_refused(cause::kNotARegularFile);
  if (info.st_uid != sys().geteuid()) return read_beneath_refused("foreign-owner");
  if ((info.st_mode & 022U) != 0) return read_beneath_refused("writable-by-others");
  if (info.st_nlink > 1) return read_beneath_refused("hard-linked");
  std::size_t size = 0;
  while (size < buffer.size()) {
    const ssize_t got = retry_eintr([&] {
      return sys().pread(fd_of(handle), buffer.data() + size, buffer.size() - size,
                         static_cast<off_t>(size));
    });
    if (got < 0) return failed();
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size >= static_cast<std::size_t>(info.st_size)) break;
  }
  return {.kind = Kind::kRead, .size = size};
}

}  // namespace holdfast::os
