// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testing/child/child.h"

namespace holdfast::testing::child {
namespace {

pid_t fork_or_die() {
  const pid_t pid = ::fork();
  if (pid < 0) die_with("cannot fork");
  return pid;
}

// In the new process: takes the way of `kind`, then behaves.
[[noreturn]] void go(const std::string& kind, const Words& behaviour) {
  if (kind == "setsid-child" || kind == "daemon") ::setsid();
  if ((kind == "double-fork" || kind == "daemon") && fork_or_die() > 0) ::_exit(0);
  behave(behaviour);
}

}  // namespace

void start_tree(const Words& words, bool stay) {
  const std::string& kind = words.at(0);
  Words behaviour(words.begin() + 1, words.end());
  if (behaviour.empty()) behaviour = {"sleep-forever"};
  int ends[2];
  if (::pipe(ends) != 0) die_with("no pipe");
  const pid_t pid = fork_or_die();
  if (pid == 0) {
    ::close(ends[0]);
    if (g_ready_fd >= 0) ::close(g_ready_fd);
    g_ready_fd = ends[1];
    go(kind, behaviour);
  }
  ::close(ends[1]);
  char byte = 0;
  if (::read(ends[0], &byte, 1) != 1) die_with("the started behaviour is not ready");
  ::close(ends[0]);
  int status = 0;
  if (kind == "double-fork" || kind == "daemon") ::waitpid(pid, &status, 0);
  if (kind == "child" && behaviour.at(0) == "stop-self") ::waitpid(pid, &status, WUNTRACED);
  ready();
  if (stay) wait_forever();
  ::_exit(0);
}

void fork_chain(int chains) {
  timespec now{};
  static_cast<void>(::clock_gettime(CLOCK_MONOTONIC, &now));
  const time_t last = now.tv_sec + 60;
  for (int i = 0; i < chains; ++i) {
    if (fork_or_die() > 0) continue;
    ::setsid();
    for (;;) {
      static_cast<void>(::clock_gettime(CLOCK_MONOTONIC, &now));
      const pid_t next = ::fork();
      if (next != 0 || now.tv_sec > last) ::_exit(0);
    }
  }
  ready();
  wait_forever();
}

}  // namespace holdfast::testing::child
