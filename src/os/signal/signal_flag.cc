// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signal_flag.h"

#include <system_error>
#include <utility>

#include "os/stream/pipe.h"
#include "os/watch/poll.h"

namespace holdfast::os {

// Never destroyed: a signal, or the console's thread, may raise it while this process ends.
std::optional<Flag>& SignalFlag::the_flag() {
  static auto* flag = new std::optional<Flag>;
  return *flag;
}

SignalFlag::SignalFlag(SignalFlag&& other) noexcept
    : listening_(std::exchange(other.listening_, false)) {}

const Flag& SignalFlag::flag() const { return *the_flag(); }

void SignalFlag::raise() const { the_flag()->raise(); }

Result<ReadableFlag> ReadableFlag::watch(const Handle& handle, const SignalFlag& flag) {
  Pipe over = HF_TRY(make_pipe());
  try {
    std::thread thread([&handle, &flag, until = std::move(over.read_end)] {
      const auto woken = wait_readable({&handle, &until}, std::nullopt);
      // Where waiting fails nobody would hear what is asked: then the wait ends now.
      if (!woken || is_readable(handle).value_or(true)) flag.raise();
    });
    return ReadableFlag(std::move(over.write_end), std::move(thread));
  } catch (const std::system_error& error) {
    return fail({.code = ErrorCode::kOsRefused,
                 .op = "start",
                 .subject = "a thread",
                 .cause = "no-thread",
                 .detail = error.what()});
  }
}

ReadableFlag::~ReadableFlag() {
  until_.reset();
  if (thread_.joinable()) thread_.join();
}

}  // namespace holdfast::os
