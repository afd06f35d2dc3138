// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signal_exit.h"

#include <unistd.h>

#include <csignal>
#include <initializer_list>

#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

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
