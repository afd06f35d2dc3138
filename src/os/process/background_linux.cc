// SPDX-License-Identifier: Apache-2.0
#include "os/process/background.h"

#include <charconv>
#include <vector>

#include "os/dir/dir.h"
#include "os/spawn/child.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr int kFirstOther = 3;

Result<> use_null_streams() {
  const int fd =
      retry_eintr([] { return sys().openat(AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0); });
  if (fd < 0) return fail(last_os_error("open", "/dev/null"));
  const Handle null(fd);
  for (int stream = 0; stream < kFirstOther; ++stream) {
    if (retry_eintr([&] { return sys().dup2(fd, stream); }) < 0)
      return fail(last_os_error("replace", "a standard stream"));
  }
  return {};
}

Result<std::vector<int>> open_descriptors() {
  std::vector<int> numbers;
  const auto listed = [&]() -> Result<> {
    const Dir dir = HF_TRY(Dir::open("/proc/self/fd"));
    return dir.each_entry([&](std::string_view name, FileType) {
      int number = -1;
      const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), number);
      if (bad == std::errc() && end == name.data() + name.size()) numbers.push_back(number);
      return Visit::kContinue;
    });
  }();
  if (listed) return numbers;
  Error error = listed.error();
  error.cause = "no-proc";
  return fail(std::move(error));
}

Result<> close_inherited() {
  for (const int fd : HF_TRY(open_descriptors())) {
    if (fd < kFirstOther) continue;
    const int flags = sys().fcntl_getfd(fd);
    if (flags < 0 || (flags & FD_CLOEXEC) != 0) continue;  // closed since, or our own
    sys().close(fd);
  }
  return {};
}

// A name is for people: without it everything works.
void set_name(std::string_view name) {
  const int fd = retry_eintr(
      [] { return sys().openat(AT_FDCWD, "/proc/self/comm", O_WRONLY | O_CLOEXEC, 0); });
  if (fd < 0) return;
  const Handle comm(fd);
  const auto written = sys().write(fd, name.data(), name.size());
  static_cast<void>(written);
}

}  // namespace

Result<> enter_background(std::string_view name) {
  HF_TRY(leave_session());
  if (sys().chdir("/") != 0) return fail(last_os_error("go to", "/"));
  HF_TRY(use_null_streams());
  HF_TRY(close_inherited());
  set_name(name);
  return {};
}

}  // namespace holdfast::os
