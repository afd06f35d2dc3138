// SPDX-License-Identifier: Apache-2.0
#include "os/stream/terminal.h"

#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

std::unexpected<Error> terminal_unsupported(const char* op) {
  return fail({.code = ErrorCode::kRefused,
               .op = op,
               .subject = "a terminal",
               .cause = "unsupported",
               .detail = "a terminal of its own for a command is not offered on Windows"});
}

}  // namespace

// The size is a screen buffer's; a console's input has none.
std::optional<WindowSize> window_size(NativeHandle terminal) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (sys().GetConsoleScreenBufferInfo(reinterpret_cast<HANDLE>(terminal), &info) == FALSE) {
    return std::nullopt;
  }
  const int rows = info.srWindow.Bottom - info.srWindow.Top + 1;
  const int columns = info.srWindow.Right - info.srWindow.Left + 1;
  if (rows <= 0 || columns <= 0) return WindowSize{};
  return WindowSize{.rows = static_cast<std::uint16_t>(rows),
                    .columns = static_cast<std::uint16_t>(columns)};
}

Result<> set_window_size(const Handle& /*terminal*/, WindowSize /*size*/) {
  return terminal_unsupported("set the size of");
}

Result<Pty> make_pty(WindowSize /*size*/) { return terminal_unsupported("make"); }

struct RawTerminal::Settings {};

RawTerminal::RawTerminal(NativeHandle terminal, std::unique_ptr<Settings> before)
    : terminal_(terminal), before_(std::move(before)) {}

std::optional<RawTerminal> RawTerminal::enter(NativeHandle /*terminal*/) { return std::nullopt; }

RawTerminal::RawTerminal(RawTerminal&& other) noexcept = default;

RawTerminal::~RawTerminal() = default;

}  // namespace holdfast::os
