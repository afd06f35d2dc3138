// SPDX-License-Identifier: Apache-2.0
//
// ReadableFlag: while it lives, something to read on a handle raises the flag of a SignalFlag, and
// so ends a wait for a lock as a signal would.
//
// It waits in a thread of its own, which is gone when this is. Nothing is read.
#pragma once

#include <thread>

#include "base/result.h"
#include "os/signal/signal_flag.h"
#include "os/sys/handle.h"

namespace holdfast::os {

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

}  // namespace holdfast::os
