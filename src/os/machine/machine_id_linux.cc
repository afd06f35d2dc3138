// SPDX-License-Identifier: Apache-2.0
#include "os/machine/machine_id.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "os/file/file.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr const char* kMachineIdPath = "/etc/machine-id";
constexpr std::size_t kMachineIdChars = 32;

constexpr const char* kBootIdPath = "/proc/sys/kernel/random/boot_id";
constexpr std::size_t kBootIdChars = 36;  // 8-4-4-4-12

}  // namespace

Result<Id128> machine_id() {
  // Not to be held up by a FIFO that somebody put there.
  const int fd = retry_eintr(
      [&] { return sys().openat(AT_FDCWD, kMachineIdPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0); });
  if (fd < 0) {
    Error error = last_os_error("read", kMachineIdPath);
    const int code = error.os_code;
    const bool none = code == ENOENT || code == ENOTDIR || code == ELOOP || code == EACCES ||
                      code == EPERM || code == ENXIO;
    if (none) return Id128{};
    return fail(std::move(error));
  }
  const File file(Handle(fd), kMachineIdPath);
  std::array<char, kMachineIdChars + 2> buffer;
  const auto size = file.read_into(0, buffer);
  if (!size) {
    const int code = size.error().os_code;
    if (code == EISDIR || code == ESPIPE || code == EINVAL) return Id128{};
    return fail(size.error());
  }
  std::string_view text(buffer.data(), *size);
  if (text.ends_with('\n')) text.remove_suffix(1);
  return parse_id128(text).value_or(Id128{});
}

Result<Id128> boot_id() {
  const int fd =
      retry_eintr([&] { return sys().openat(AT_FDCWD, kBootIdPath, O_RDONLY | O_CLOEXEC, 0); });
  if (fd < 0) {
    Error error = last_os_error("read", kBootIdPath);
    if (error.code == ErrorCode::kNotFound) {
      error.code = ErrorCode::kOsRefused;
      error.cause = "no-proc";
    }
    return fail(std::move(error));
  }
  const File file(Handle(fd), kBootIdPath);
  std::array<char, 64> buffer;
  const std::size_t size = HF_TRY(file.read_into(0, buffer));
  std::string text(buffer.data(), std::min(size, kBootIdChars));
  std::erase(text, '-');
  const auto id = parse_id128(text);
  if (!id) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "read",
                 .subject = kBootIdPath,
                 .cause = "boot-id",
                 .detail = "it holds no id"});
  }
  return *id;
}

std::string host_name() {
  utsname names{};
  if (sys().uname(&names) != 0) return {};
  std::string name(&names.nodename[0]);
  return name == "(none)" ? std::string() : name;  // the kernel's word for a name not yet set
}

}  // namespace holdfast::os
