// SPDX-License-Identifier: Apache-2.0
//
// Signals for a program that has no loop of its own to read them in (signals.h): they end its waits
// for locks, or the program with words of its own.
#pragma once

#include <optional>
#include <string_view>
#include <thread>

#include "base/result.h"
#include "os/lock/blocked_wait.h"
#include "os/sys/handle.h"

namespace holdfast::os {

// SignalFlag: while it lives, a signal that asks this process to end (os::asks_to_end) raises a
// Flag, which ends a wait for a lock. For a program that holds signals back and has no loop of its
// own at that moment.
//
// Limit: one at a time. A signal that comes while it lives is used up by it.
class SignalFlag {
 public:
  static Result<SignalFlag> listen();
  SignalFlag(SignalFlag&& other) noexcept;
  SignalFlag(const SignalFlag&) = delete;
  SignalFlag& operator=(const SignalFlag&) = delete;
  SignalFlag& operator=(SignalFlag&&) = delete;
  ~SignalFlag();

  [[nodiscard]] const Flag& flag() const;
  // As a signal would.
  void raise() const;

 private:
  SignalFlag() = default;
  static std::optional<Flag>& the_flag();

  bool listening_ = true;
};

// ReadableFlag: while it lives, something to read on a handle raises the flag of a SignalFlag, and
// so ends a wait for a lock as a signal would.
//
// It waits in a thread of its own, which is gone when this is. Nothing is read.
class ReadableFlag {
 public:
  // Both must outlive it.
  static Result<ReadableFlag> watch(const Handle& handle, const SignalFlag& flag);
  ReadableFlag(ReadableFlag&&) noexcept = default;
  ReadableFlag(const ReadableFlag&) = delete;
  ReadableFlag& operator=(const ReadableFlag&) = delete;
  ReadableFlag& operator=(ReadableFlag&&) = delete;
  ~ReadableFlag();

 private:
  ReadableFlag(Handle until, std::thread thread)
      : until_(std::move(until)), thread_(std::move(thread)) {}

  Handle until_;  // the thread ends when this is closed
  std::thread thread_;
};

// exit_at_signals: from here on TERM, HUP, INT and QUIT do not kill this process: it says `message`
// on stderr and exits with `code`, at once and wherever it is, as by _exit. For a guard whose host
// takes any other code for permission.
//
// Limits: a signal that is ignored stays ignored; whoever reads signals as input (signals.h, or a
// SignalFlag) gets them first. A program that this process becomes or starts has the default again.
// `message` must outlive the process. Windows: nothing changes.
void exit_at_signals(int code, std::string_view message);

}  // namespace holdfast::os
