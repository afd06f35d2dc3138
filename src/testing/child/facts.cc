// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "testing/child/child.h"

namespace holdfast::testing::child {

void print_fds() {
  DIR* dir = ::opendir("/proc/self/fd");
  if (dir == nullptr) die_with("no /proc/self/fd");
  std::set<int> open;
  while (const dirent* entry = ::readdir(dir)) {
    const int fd = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && fd != ::dirfd(dir)) open.insert(fd);
  }
  for (const int fd : open) ::dprintf(STDOUT_FILENO, "%d\n", fd);
  ::_exit(0);
}

void print_signals() {
  FILE* status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) die_with("no /proc/self/status");
  char line[256];
  while (std::fgets(line, sizeof(line), status) != nullptr) {
    if (std::strncmp(line, "SigBlk", 6) == 0 || std::strncmp(line, "SigIgn", 6) == 0) {
      ::dprintf(STDOUT_FILENO, "%s", line);
    }
  }
  ::_exit(0);
}

void report_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCONT, SIGUSR1, SIGUSR2}) {
    sigaddset(&set, signal);
  }
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  ::alarm(kLongest);
  ready();
  for (;;) {
    int signal = 0;
    if (::sigwait(&set, &signal) != 0) die_with("cannot wait for signals");
    if (signal == SIGUSR1) break;
    ::dprintf(STDOUT_FILENO, "got %s\n", ::sigabbrev_np(signal));
  }
  ::dprintf(STDOUT_FILENO, "end\n");
  ::_exit(0);
}

}  // namespace holdfast::testing::child
