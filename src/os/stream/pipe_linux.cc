// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <array>
#include <charconv>
#include <string>

#include "base/cause.h"
#include "os/dir/dir.h"
#include "os/process/pidfd.h"
#include "os/process/proc_fs.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

std::optional<int> flags_in(std::string_view fdinfo) {
  constexpr std::string_view kKey = "flags:\t";
  const std::size_t at = fdinfo.find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = fdinfo.substr(at + kKey.size());
  int flags = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), flags, 8);
  if (parsed.ec != std::errc()) return std::nullopt;
  return flags;
}

constexpr int kOpen = O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;

Error fifo_refused(const std::string& path, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = "use the FIFO",
          .subject = path,
          .cause = std::string(cause),
          .detail = std::string(detail) + "; it was left as it is"};
}

Result<> check_ours(const struct stat& info, const std::string& path) {
  if (!S_ISFIFO(info.st_mode)) return fail(fifo_refused(path, "not-a-fifo", "it is not a FIFO"));
  if (info.st_uid != sys().geteuid()) {
    return fail(fifo_refused(path, "foreign-owner", "it belongs to another user"));
  }
  return {};
}

Result<> check_open(const Handle& handle, const std::string& path) {
  struct stat info{};
  if (sys().fstat(fd_of(handle), &info) != 0) return fail(last_os_error("look at", path));
  return check_ours(info, path);
}

Result<> remove_old(int dir, const SafeName& name, const std::string& path) {
  struct stat info{};
  if (sys().fstatat(dir, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return {};
    return fail(last_os_error("look at", path));
  }
  HF_TRY(check_ours(info, path));
  if (sys().unlinkat(dir, name.c_str(), 0) == 0 || errno == ENOENT) return {};
  return fail(last_os_error("remove the old FIFO", path));
}

}  // namespace

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (sys().pipe2(ends.data(), O_CLOEXEC) != 0) return fail(last_os_error("make", "a pipe"));
  return Pipe{.read_end = Handle(ends[0]), .write_end = Handle(ends[1])};
}

Handle unbreakable_end(Handle write_end) {
  const std::string link = "/proc/self/fd/" + std::to_string(write_end.get());
  Handle both(
      retry_eintr([&] { return sys().openat(AT_FDCWD, link.c_str(), O_RDWR | O_CLOEXEC, 0); }));
  return both.valid() ? std::move(both) : std::move(write_end);
}

Result<std::size_t> write_some(const Handle& write_end, std::string_view bytes) {
  const ssize_t wrote =
      retry_eintr([&] { return sys().write(fd_of(write_end), bytes.data(), bytes.size()); });
  if (wrote < 0) return fail(last_os_error("write to", "a pipe"));
  return static_cast<std::size_t>(wrote);
}

Result<std::size_t> read_pipe(const Handle& read_end, std::span<char> buffer) {
  const ssize_t got =
      retry_eintr([&] { return sys().read(fd_of(read_end), buffer.data(), buffer.size()); });
  if (got < 0) return fail(last_os_error("read from", "a pipe"));
  return static_cast<std::size_t>(got);
}

// The hostile interleaving: the process ends, its number is another's, and we open a stranger's
// pipe. It is pinned, and seen not to have ended after the open; what was opened before that is its
// own. It may put something else in the place between the look at how it was opened and the open:
// so what was opened is compared with what was looked at.
Result<std::optional<Handle>> reopen_pipe(Pid pid, const Handle& pidfd, int descriptor) {
  const std::string number_text = std::to_string(descriptor);
  const auto about = HF_TRY(read_proc_file(pid, ("fdinfo/" + number_text).c_str()));
  const auto flags = about ? flags_in(*about) : std::nullopt;
  if (!flags || (*flags & O_ACCMODE) != O_RDWR) return std::nullopt;
  const std::string link = "/proc/" + std::to_string(number(pid)) + "/fd/" + number_text;
  struct stat before{};
  if (sys().fstatat(AT_FDCWD, link.c_str(), &before, 0) != 0 || !S_ISFIFO(before.st_mode))
    return std::nullopt;
  Handle opened(retry_eintr(
      [&] { return sys().openat(AT_FDCWD, link.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0); }));
  if (!opened.valid()) return fail(last_os_error("open anew", link));
  struct stat after{};
  if (sys().fstat(fd_of(opened), &after) != 0) return fail(last_os_error("look at", link));
  if (after.st_ino != before.st_ino || after.st_dev != before.st_dev) return std::nullopt;
  if (HF_TRY(has_ended(pidfd))) return std::nullopt;
  return std::optional(std::move(opened));
}

std::string with_plain_line_ends(std::string printed) { return printed; }

// The name may be swapped between any two calls here. So what was opened is looked at through its
// descriptor, and is used only if it is a FIFO of our own; and a new one is made by a call that
// fails where the name is taken.
Result<Handle> make_fifo(const Dir& dir, const SafeName& name) {
  const int at = static_cast<int>(dir.native());
  const std::string path = dir.path_of(name);
  HF_TRY(remove_old(at, name, path));
  if (sys().mkfifoat(at, name.c_str(), kPrivateFile) != 0) {
    return fail(last_os_error("make the FIFO", path));
  }
  const int fd = retry_eintr([&] { return sys().openat(at, name.c_str(), O_RDWR | kOpen, 0); });
  if (fd < 0) return fail(last_os_error("open the FIFO", path));
  Handle handle(fd);
  HF_TRY(check_open(handle, path));
  if (sys().fchmod(fd, kPrivateFile) != 0) return fail(last_os_error("set the mode of", path));
  return handle;
}

Result<std::size_t> take_from(const Handle& fifo, std::span<char> buffer) {
  const ssize_t got =
      retry_eintr([&] { return sys().read(fd_of(fifo), buffer.data(), buffer.size()); });
  if (got >= 0) return static_cast<std::size_t>(got);
  if (errno == EAGAIN) return 0;
  return fail(last_os_error("read", "a FIFO"));
}

Result<Put> put_into(const Dir& dir, const SafeName& name, std::string_view bytes) {
  const int at = static_cast<int>(dir.native());
  const std::string path = dir.path_of(name);
  if (bytes.empty() || bytes.size() > kMostAtOnce) {
    return fail(os_error("write to the FIFO", path, EINVAL));
  }
  const int fd = retry_eintr([&] { return sys().openat(at, name.c_str(), O_WRONLY | kOpen, 0); });
  if (fd < 0) {
    if (errno == ENXIO || errno == ENOENT) return Put::kNobodyReads;
    if (errno == ELOOP) return fail(fifo_refused(path, cause::kIsLink, "it is a symbolic link"));
    return fail(last_os_error("open the FIFO", path));
  }
  const Handle handle(fd);
  HF_TRY(check_open(handle, path));
  // The kernel does a write of this length whole or not at all; what it does not promise to this
  // file system's FIFOs in so many words is asked for again. EPIPE: the reader left since the open.
  while (!bytes.empty()) {
    const ssize_t wrote = retry_eintr([&] { return sys().write(fd, bytes.data(), bytes.size()); });
    if (wrote < 0 && errno == EPIPE) return Put::kNobodyReads;
    if (wrote < 0) return fail(last_os_error("write to the FIFO", path));
    if (wrote == 0) return fail(os_error("write to the FIFO", path, EIO));
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return Put::kPut;
}

}  // namespace holdfast::os
