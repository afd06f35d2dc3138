// SPDX-License-Identifier: Apache-2.0
#include "os/machine/boot_id.h"

#include <algorithm>
#include <array>

#include "os/file/file.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr const char* kBootIdPath = "/proc/sys/kernel/random/boot_id";
constexpr std::size_t kBootIdChars = 36;  // 8-4-4-4-12

}  // namespace

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
