// SPDX-License-Identifier: Apache-2.0
//
// Somebody who swaps things under a program's feet, as fast as the kernel lets him.
//
// flip-link PATH VICTIM   PATH is in turn a new regular file (`flipped`) and a link to VICTIM, each
//                         renamed over what is there; both stay for a while of changing length, so
//                         that every step of a program meets the change some time
// flip-names ONE OTHER    the two names change places
//
// Both go on until a signal ends them, for at most kLongest seconds, and leave PATH a regular file,
// or the names as they were, when it is TERM.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "testing/child/child.h"

namespace holdfast::testing::child {
namespace {

volatile sig_atomic_t g_over = 0;

void go_on_until_term() {
  ::alarm(kLongest);
  struct sigaction action{};
  action.sa_handler = [](int) { g_over = 1; };
  ::sigaction(SIGTERM, &action, nullptr);
}

void install(const std::string& draft, const std::string& path) {
  if (::rename(draft.c_str(), path.c_str()) != 0) die_with("cannot rename over " + path);
}

void make_regular(const std::string& draft, const std::string& path) {
  const int fd = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 || ::write(fd, "flipped", 7) != 7 || ::close(fd) != 0) die_with("cannot make a file");
  install(draft, path);
}

}  // namespace

void flip_link(const std::string& path, const std::string& victim) {
  const std::string draft = path + ".flip";
  unsigned stay = 0;
  go_on_until_term();
  ready();
  while (g_over == 0) {
    if (::symlink(victim.c_str(), draft.c_str()) != 0) die_with("cannot make a link");
    install(draft, path);
    ::usleep(stay / 4);
    make_regular(draft, path);
    ::usleep(stay);
    stay = (stay + 370) % 10'000;  // microseconds
  }
  ::_exit(0);
}

void flip_names(const std::string& one, const std::string& other) {
  const auto flip = [&] {
    return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0;
  };
  go_on_until_term();
  ready();
  while (g_over == 0) {
    if (!flip() || !flip()) die_with("cannot exchange the names");
  }
  ::_exit(0);
}

}  // namespace holdfast::testing::child
