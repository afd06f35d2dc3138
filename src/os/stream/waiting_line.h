// SPDX-License-Identifier: Apache-2.0
//
// WaitingLine: while it lives, a line on stderr says what is waited for and how long already. It
// appears after a second, is renewed each second, and is gone when this is. For a person at a
// terminal; the caller asks whether there is one.
//
// It is written by a thread that only sleeps and writes: it allocates nothing and takes no lock, so
// a fork at any moment is safe, and it gets no signal. A forked child must not return through it.
//
// Limits: a line that is written in the very moment of clear() stays until the next second. A
// terminal that changes its size is not asked again. Windows has no such line.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace holdfast::os {

class WaitingLine {
 public:
  // `text` fits the terminal with ten columns to spare and is safe for it. Null: there will be no
  // line; a wait goes on without one.
  static std::unique_ptr<WaitingLine> show(std::string text);
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;
  ~WaitingLine();

  // Before anything else is written to the terminal.
  void clear();

 private:
  struct State;
  explicit WaitingLine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace holdfast::os
