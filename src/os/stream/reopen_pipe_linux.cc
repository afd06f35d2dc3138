// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the process ends, its number is another's, and we open a stranger's
// pipe. It is pinned, and seen not to have ended after the open; what was opened before that is its
// own. It may put something else in the place between the look at how it was opened and the open:
// so what was opened is compared with what was looked at.
#include "os/stream/reopen_pipe.h"

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

}  // namespace holdfast::os
