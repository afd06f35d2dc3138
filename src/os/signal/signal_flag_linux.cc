// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signal_flag.h"

#include <array>
#include <optional>
#include <utility>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::array kEnding{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

std::optional<Flag>& the_flag() {
  static std::optional<Flag> flag;
  return flag;
}

// An atomic store and one system call: allowed in a handler.
void on_signal(int /*signal*/) {
  const int code = errno;
  the_flag()->raise();
  errno = code;
}

struct Before {
  sigset_t mask{};
  std::array<struct sigaction, kEnding.size()> actions{};
};
Before& before() {
  static Before state;
  return state;
}

}  // namespace

Result<SignalFlag> SignalFlag::listen() {
  the_flag().emplace();
  sigset_t these{};
  sigemptyset(&these);
  struct sigaction action{};
  action.sa_handler = on_signal;
  sigfillset(&action.sa_mask);
  for (std::size_t i = 0; i < kEnding.size(); ++i) {
    sigaddset(&these, kEnding[i]);
    if (sys().sigaction(kEnding[i], &action, &before().actions[i]) != 0)
      return fail(last_os_error("listen for", "signals"));
  }
  if (sys().sigprocmask(SIG_UNBLOCK, &these, &before().mask) != 0)
    return fail(last_os_error("listen for", "signals"));
  return SignalFlag();
}

SignalFlag::SignalFlag(SignalFlag&& other) noexcept
    : listening_(std::exchange(other.listening_, false)) {}

SignalFlag::~SignalFlag() {
  if (!listening_) return;
  sys().sigprocmask(SIG_SETMASK, &before().mask, nullptr);
  for (std::size_t i = 0; i < kEnding.size(); ++i)
    sys().sigaction(kEnding[i], &before().actions[i], nullptr);
}

const Flag& SignalFlag::flag() const { return *the_flag(); }

void SignalFlag::raise() const { the_flag()->raise(); }

}  // namespace holdfast::os
