// SPDX-License-Identifier: Apache-2.0
//
// Terminals: a new one for a command (a pseudo-terminal), and the caller's own, set so that every
// key goes through unchanged.
//
// Guarantee: RawTerminal gives the settings back when it goes. Limit: a process that is killed
// leaves the terminal raw; `stty sane` mends it.
// Errors: kOsRefused: no more of them, or /dev/ptmx is not there. On Windows there is
// none for a command, and no raw one: `unsupported`, or nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

struct WindowSize {
  std::uint16_t rows = 24;
  std::uint16_t columns = 80;
  bool operator==(const WindowSize&) const = default;
};

// nullopt: it is no terminal.
std::optional<WindowSize> window_size(NativeHandle terminal);
Result<> set_window_size(const Handle& terminal, WindowSize size);

struct Pty {
  Handle master;  // ours; reading it fails (`eio`) once nobody has the slave open
  Handle slave;   // the command's
};
Result<Pty> make_pty(WindowSize size);

class RawTerminal {
 public:
  // nullopt: the handle, which stays the caller's, is no terminal, or not to be set by us.
  static std::optional<RawTerminal> enter(NativeHandle terminal);
  RawTerminal(RawTerminal&& other) noexcept;
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  RawTerminal& operator=(RawTerminal&&) = delete;
  ~RawTerminal();

 private:
  struct Settings;
  RawTerminal(NativeHandle terminal, std::unique_ptr<Settings> before);

  NativeHandle terminal_;
  std::unique_ptr<Settings> before_;  // null once moved from
};

}  // namespace holdfast::os
