// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signal_flag.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <initializer_list>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::array kEnding{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

struct Before {
  sigset_t mask{};
  std::array<struct sigaction, kEnding.size()> actions{};
};
Before& before() {
  static Before state;
  return state;
}

struct LastWords {
  int code = 0;
  std::string_view message{};
};
LastWords& last_words() {
  static LastWords words;
  return words;
}

// Two calls that are allowed in a handler.
void say_and_exit(int /*signal*/) {
  const LastWords& words = last_words();
  const auto said = sys().write(STDERR_FILENO, words.message.data(), words.message.size());
  static_cast<void>(said);
  sys().exit_process(words.code);
}

}  // namespace

Result<SignalFlag> SignalFlag::listen() {
  the_flag().emplace();
  sigset_t these{};
  sigemptyset(&these);
  struct sigaction action{};
  // An atomic store and one system call: allowed in a handler.
  action.sa_handler = [](int /*signal*/) {
    const int code = errno;
    the_flag()->raise();
    errno = code;
  };
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

SignalFlag::~SignalFlag() {
  if (!listening_) return;
  sys().sigprocmask(SIG_SETMASK, &before().mask, nullptr);
  for (std::size_t i = 0; i < kEnding.size(); ++i)
    sys().sigaction(kEnding[i], &before().actions[i], nullptr);
}

void exit_at_signals(int code, std::string_view message) {
  last_words() = {.code = code, .message = message};
  struct sigaction action{};
  action.sa_handler = say_and_exit;
  sigfillset(&action.sa_mask);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    struct sigaction before{};
    if (sys().sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    sys().sigaction(signal, &action, nullptr);
  }
}

}  // namespace holdfast::os
