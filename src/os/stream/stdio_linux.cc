// SPDX-License-Identifier: Apache-2.0
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>

#include "base/budget.h"
#include "base/cause.h"
#include "base/clock.h"
#include "os/machine/real_clock.h"
#include "os/signal/signals.h"
#include "os/stream/stdio.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

int stdio_fd_of(Stream stream) { return static_cast<int>(stream); }

std::string_view stdio_name_of(Stream stream) {
  constexpr std::array<std::string_view, 3> kNames{"stdin", "stdout", "stderr"};
  return kNames[static_cast<std::size_t>(stream)];
}

Error write_error(Stream stream, int os_code) {
  Error error = os_error("write to", stdio_name_of(stream), os_code);
  error.code = ErrorCode::kIo;
  return error;
}

// What a pipe that polls as writable takes without blocking.
constexpr std::size_t kNeverBlocks = 4096;

enum class Ready : std::uint8_t { kYes, kTooLate, kFailed };

// Until a transfer (POLLIN, POLLOUT) would not block, or fails for another reason, which the next
// one then tells; at most for `limit`. Somebody who shares the stream made it non-blocking; being
// slow is no failure.
Ready wait_ready(Stream stream, short transfer, std::optional<Duration> limit) {
  const auto end = limit ? std::optional(after(RealClock().mono(), *limit)) : std::nullopt;
  for (;;) {
    pollfd item{.fd = stdio_fd_of(stream), .events = transfer, .revents = 0};
    int milliseconds = -1;
    if (end) {
      const Duration left = std::max(*end - RealClock().mono(), Duration::zero());
      const auto most = Duration(std::chrono::minutes(1));
      milliseconds = static_cast<int>(
          std::chrono::ceil<std::chrono::milliseconds>(std::min(left, most)).count());
    }
    const int ready = sys().poll(&item, 1, milliseconds);
    if (ready > 0) return Ready::kYes;
    if (ready < 0 && errno != EINTR) return Ready::kFailed;
    if (end && RealClock().mono() >= *end) return Ready::kTooLate;
  }
}

std::optional<Duration> time_to_read() {
  if (!budget()) return std::nullopt;
  return within_budget(std::nullopt, RealClock().mono()).time;
}

// Records may still be written when the waits are over, and so may the answer.
std::optional<Duration> time_to_write() {
  if (!budget()) return std::nullopt;
  return within_whole_budget(Duration::max(), RealClock().mono());
}

Error late(ErrorCode code, std::string_view op, Stream stream, std::string detail) {
  return {.code = code,
          .op = std::string(op),
          .subject = std::string(stdio_name_of(stream)),
          .cause = cause::kBudget,
          .detail = std::move(detail)};
}

// With a budget no transfer is begun that could block.
Result<> be_ready(Stream stream, short transfer, std::optional<Duration> limit) {
  const bool reads = transfer == POLLIN;
  const std::string_view op = reads ? "read from" : "write to";
  switch (wait_ready(stream, transfer, limit)) {
    case Ready::kYes:
      return {};
    case Ready::kTooLate:
      return fail(reads
                      ? late(ErrorCode::kBusy, op, stream,
                             "the time of --budget passed before its end came")
                      : late(ErrorCode::kIo, op, stream, "nobody read it in the time of --budget"));
    case Ready::kFailed:
      break;
  }
  return fail(reads ? last_os_error(op, stdio_name_of(stream)) : write_error(stream, errno));
}

bool is_null_device(const struct stat& info) {
  constexpr unsigned kMajor = 1;
  constexpr unsigned kMinor = 3;  // fixed by the kernel's list of devices
  return S_ISCHR(info.st_mode) && info.st_rdev == makedev(kMajor, kMinor);
}

}  // namespace

Result<> adopt_standard_streams() {
  // A closed stdin reads as empty. A closed stdout or stderr must not become a silent /dev/null:
  // opened for reading, every later write fails with EBADF and is reported.
  for (const Stream stream : {Stream::kIn, Stream::kOut, Stream::kErr}) {
    if (sys().fcntl_getfd(stdio_fd_of(stream)) != -1 || errno != EBADF) continue;
    const int fd = retry_eintr([] { return sys().openat(AT_FDCWD, "/dev/null", O_RDONLY, 0); });
    if (fd < 0) return fail(last_os_error("open a stand-in for the closed", stdio_name_of(stream)));
    if (fd != stdio_fd_of(stream)) {
      // Lower numbers were taken, so this one is: another thread opened it meanwhile.
      sys().close(fd);
    }
  }
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    if (sys().sigaction(signal, &ignore, nullptr) != 0) {
      return fail(last_os_error("ignore the signal", signal_name(signal)));
    }
  }
  return {};
}

Result<> write_stream(Stream stream, std::string_view text) {
  while (!text.empty()) {
    const auto limit = time_to_write();
    if (limit) HF_TRY(be_ready(stream, POLLOUT, limit));
    const std::size_t size = limit ? std::min(text.size(), kNeverBlocks) : text.size();
    const ssize_t wrote =
        retry_eintr([&] { return sys().write(stdio_fd_of(stream), text.data(), size); });
    if (wrote < 0) {
      if (errno != EAGAIN) return fail(write_error(stream, errno));
      HF_TRY(be_ready(stream, POLLOUT, limit));
      continue;
    }
    if (wrote == 0) return fail(write_error(stream, EIO));  // it would be so for ever
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return {};
}

Result<std::string> read_stdin(std::size_t max) {
  std::string bytes;
  std::array<char, 65536> buffer;
  for (;;) {
    const std::size_t got = HF_TRY(read_stdin_some(buffer));
    if (got == 0) return bytes;
    if (bytes.size() + got > max) {
      return fail({.code = ErrorCode::kRefused,
                   .op = "read from",
                   .subject = "stdin",
                   .cause = cause::kTooLarge,
                   .detail = "more than " + std::to_string(max) + " bytes"});
    }
    bytes.append(buffer.data(), got);
  }
}

Result<std::size_t> read_stdin_some(std::span<char> buffer) {
  for (;;) {
    const auto limit = time_to_read();
    if (limit) HF_TRY(be_ready(Stream::kIn, POLLIN, limit));
    const ssize_t got = retry_eintr(
        [&] { return sys().read(stdio_fd_of(Stream::kIn), buffer.data(), buffer.size()); });
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EAGAIN) return fail(last_os_error("read from", "stdin"));
    HF_TRY(be_ready(Stream::kIn, POLLIN, limit));
  }
}

Result<StdinKind> stdin_kind() {
  struct stat info{};
  if (sys().fstat(stdio_fd_of(Stream::kIn), &info) != 0)
    return fail(last_os_error("look at", "stdin"));
  if (S_ISREG(info.st_mode)) return StdinKind::kFile;
  if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)) return StdinKind::kPipe;
  if (is_null_device(info)) return StdinKind::kNull;
  return is_terminal(Stream::kIn) ? StdinKind::kTerminal : StdinKind::kOther;
}

bool is_terminal(Stream stream) {
  winsize size{};
  return sys().ioctl_winsize(stdio_fd_of(stream), &size) == 0;
}

std::optional<int> terminal_columns(Stream stream) {
  winsize size{};
  if (sys().ioctl_winsize(stdio_fd_of(stream), &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace holdfast::os
