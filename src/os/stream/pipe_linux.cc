// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <array>
#include <string>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

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

}  // namespace holdfast::os
