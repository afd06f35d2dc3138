// SPDX-License-Identifier: Apache-2.0
//
// For tests on Linux: processes that really are processes, made by fork.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lock/grant/lock_fixture.h"

namespace holdfast::lock {

// A child that runs `work` and then exits without any clean-up.
template <typename Work>
pid_t child(Work work) {
  const pid_t pid = fork();
  if (pid == 0) {
    work();
    ::_exit(0);  // lint: no_output only tests include this
  }
  return pid;
}
inline int wait_for(pid_t pid) {
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return status;
}
inline void kill_and_reap(pid_t pid) {
  ::kill(pid, SIGKILL);
  wait_for(pid);
}

// A pipe between a test and its child: "I am there".
class Signpost {
 public:
  Signpost() { EXPECT_EQ(::pipe(ends_), 0); }
  Signpost(const Signpost&) = delete;
  Signpost& operator=(const Signpost&) = delete;
  Signpost(Signpost&&) = delete;
  Signpost& operator=(Signpost&&) = delete;
  ~Signpost() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  void put() const { EXPECT_EQ(::write(ends_[1], "x", 1), 1); }
  void await() const {
    char c = 0;
    EXPECT_EQ(::read(ends_[0], &c, 1), 1);
  }

 private:
  int ends_[2]{};
};

}  // namespace holdfast::lock
