// SPDX-License-Identifier: Apache-2.0
#include "os/stream/stream_writer.h"

#include <sys/stat.h>

#include <algorithm>

#include "os/spawn/inherited.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"
#include "os/watch/poll.h"

namespace holdfast::os {
namespace {

constexpr const char* kStreamWriterOp = "write to";

const char* stream_writer_name_of(Stream stream) {
  return stream == Stream::kErr ? "stderr" : "stdout";
}

}  // namespace

Result<StreamWriter> StreamWriter::open(Stream stream) {
  const int fd = static_cast<int>(stream);
  struct stat info{};
  if (sys().fstat(fd, &info) != 0)
    return fail(last_os_error(kStreamWriterOp, stream_writer_name_of(stream)));
  if (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode)) {
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    Handle again(retry_eintr([&] {
      return sys().openat(AT_FDCWD, link.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    }));
    struct stat found{};
    const bool same = again.valid() && sys().fstat(fd_of(again), &found) == 0 &&
                      found.st_dev == info.st_dev && found.st_ino == info.st_ino;
    if (same) return StreamWriter(std::move(again), Way::kWrite);
  }
  Handle copy = HF_TRY(copy_handle(fd));
  if (S_ISREG(info.st_mode)) return StreamWriter(std::move(copy), Way::kWrite);
  return StreamWriter(std::move(copy), S_ISSOCK(info.st_mode) ? Way::kSend : Way::kSmall);
}

Result<std::size_t> StreamWriter::write_some(std::string_view bytes) {
  if (bytes.empty()) return std::size_t{0};
  if (way_ == Way::kSmall) {
    if (!HF_TRY(is_writable(handle_))) return std::size_t{0};
    bytes = bytes.substr(0, kSmallPiece);
  }
  const ssize_t wrote = retry_eintr([&] {
    return way_ == Way::kSend ? sys().send_now(fd_of(handle_), bytes.data(), bytes.size())
                              : sys().write(fd_of(handle_), bytes.data(), bytes.size());
  });
  if (wrote >= 0) return static_cast<std::size_t>(wrote);
  if (errno == EAGAIN || errno == EWOULDBLOCK) return std::size_t{0};
  return fail(last_os_error(kStreamWriterOp, "the caller's terminal or pipe"));
}

}  // namespace holdfast::os
