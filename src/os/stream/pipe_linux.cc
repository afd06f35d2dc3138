// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <array>
#include <charconv>
#include <string>

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

}  // namespace holdfast::os
