// SPDX-License-Identifier: Apache-2.0
//
// Keyboard: the caller's side of a run with a terminal of its own (--pty): what is typed goes to
// that terminal, and its size follows the caller's.
//
// The caller's terminal is raw meanwhile: Ctrl-C and Ctrl-Z are keys that the other terminal makes
// signals of. The end of an input that is no terminal becomes Ctrl-D.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/stream/terminal.h"
#include "supervise/front_end.h"

namespace holdfast::run {

class Keyboard final : public supervise::CallerIo {
 public:
  // Of a terminal that was made before the supervisor.
  explicit Keyboard(os::Pty pty) : pty_(std::move(pty)) {}

  // For the supervisor, before begin().
  [[nodiscard]] os::Pty& pty() { return pty_; }

  void begin() override;
  void add_handles(std::vector<const os::Handle*>& readable,
                   std::vector<const os::Handle*>& writable) const override;
  void round() override;

 private:
  void follow_size();
  void take_keys();
  void pass_on();

  os::Pty pty_;
  os::Handle input_;  // a copy of stdin; empty once it has ended
  std::string typed_;
  bool in_line_ = false;  // what was typed last did not end one
  std::optional<os::RawTerminal> raw_;
  std::optional<os::WindowSize> size_;
};

}  // namespace holdfast::run
