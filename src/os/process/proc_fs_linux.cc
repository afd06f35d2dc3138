// SPDX-License-Identifier: Apache-2.0
#include "os/process/proc_fs.h"

#include <array>
#include <charconv>

#include "os/dir/dir.h"
#include "os/file/file.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

// Not EACCES and EPERM: hidepid answers so for processes that are alive.
bool proc_fs_says_gone(int os_code) { return os_code == ENOENT || os_code == ESRCH; }

Result<std::optional<std::string>> read_small(const std::string& path) {
  const Handle file(
      retry_eintr([&] { return sys().openat(AT_FDCWD, path.c_str(), O_RDONLY | O_CLOEXEC, 0); }));
  if (!file.valid()) {
    if (proc_fs_says_gone(errno)) return std::optional<std::string>();
    return fail(last_os_error("read", path));
  }
  std::array<char, 4096> buffer;
  const ssize_t got =
      retry_eintr([&] { return sys().read(fd_of(file), buffer.data(), buffer.size()); });
  if (got < 0) {
    if (proc_fs_says_gone(errno)) return std::optional<std::string>();
    return fail(last_os_error("read", path));
  }
  return std::optional(std::string(buffer.data(), static_cast<std::size_t>(got)));
}

}  // namespace

Result<> each_process(const std::function<void(Pid)>& visit) {
  const Dir proc = HF_TRY(Dir::open("/proc"));
  return proc.each_entry([&](std::string_view name, FileType) {
    int pid = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (end.ec == std::errc() && end.ptr == name.data() + name.size() && pid > 0) visit(Pid{pid});
    return Visit::kContinue;
  });
}

Result<std::optional<std::string>> read_proc_file(Pid pid, const char* name) {
  return read_small("/proc/" + std::to_string(number(pid)) + "/" + name);
}

Result<std::optional<std::string>> read_whole_proc_file(Pid pid, const char* name,
                                                        std::size_t max) {
  const std::string path = "/proc/" + std::to_string(number(pid)) + "/" + name;
  File file(Handle(retry_eintr(
                [&] { return sys().openat(AT_FDCWD, path.c_str(), O_RDONLY | O_CLOEXEC, 0); })),
            path);
  if (file.native() < 0) {
    if (proc_fs_says_gone(errno)) return std::optional<std::string>();
    return fail(last_os_error("read", path));
  }
  auto text = file.read_all(max);
  if (text) return std::optional(std::move(*text));
  if (proc_fs_says_gone(text.error().os_code)) return std::optional<std::string>();
  return fail(std::move(text).error());
}

Result<std::optional<std::string>> read_own_proc_file(const char* name) {
  return read_small(std::string("/proc/self/") + name);
}

}  // namespace holdfast::os
