// SPDX-License-Identifier: Apache-2.0
#include "os/stream/terminal.h"

#include <termios.h>

#include <utility>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

std::optional<WindowSize> window_size(NativeHandle terminal) {
  winsize size{};
  if (sys().ioctl_winsize(static_cast<int>(terminal), &size) != 0) return std::nullopt;
  if (size.ws_row == 0 || size.ws_col == 0) return WindowSize{};
  return WindowSize{.rows = size.ws_row, .columns = size.ws_col};
}

Result<> set_window_size(const Handle& terminal, WindowSize size) {
  winsize native{};
  native.ws_row = size.rows;
  native.ws_col = size.columns;
  if (sys().ioctl_set_winsize(fd_of(terminal), &native) == 0) return {};
  return fail(last_os_error("set the size of", "a terminal"));
}

Result<Pty> make_pty(WindowSize size) {
  constexpr const char* kSubject = "a pseudo-terminal";
  Handle master(retry_eintr(
      [] { return sys().openat(AT_FDCWD, "/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC, 0); }));
  if (!master.valid()) return fail(last_os_error("make", kSubject));
  Handle slave(sys().ioctl_pty_slave(fd_of(master), O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!slave.valid()) return fail(last_os_error("make", kSubject));
  HF_TRY(set_window_size(master, size));
  return Pty{.master = std::move(master), .slave = std::move(slave)};
}

struct RawTerminal::Settings {
  termios of_terminal{};
};

RawTerminal::RawTerminal(NativeHandle terminal, std::unique_ptr<Settings> before)
    : terminal_(terminal), before_(std::move(before)) {}

std::optional<RawTerminal> RawTerminal::enter(NativeHandle terminal) {
  const int fd = static_cast<int>(terminal);
  auto before = std::make_unique<Settings>();
  if (sys().tcgetattr(fd, &before->of_terminal) != 0) return std::nullopt;
  termios raw = before->of_terminal;
  raw.c_iflag &=
      ~static_cast<tcflag_t>(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
  raw.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  if (sys().tcsetattr(fd, &raw) != 0) return std::nullopt;
  return RawTerminal(terminal, std::move(before));
}

RawTerminal::RawTerminal(RawTerminal&& other) noexcept = default;

RawTerminal::~RawTerminal() {
  if (before_) sys().tcsetattr(static_cast<int>(terminal_), &before_->of_terminal);
}

}  // namespace holdfast::os
