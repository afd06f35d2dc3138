// SPDX-License-Identifier: Apache-2.0
#include "os/stream/reopen_pipe.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

#include "os/process/pidfd.h"
#include "os/stream/pipe.h"

namespace holdfast::os {
namespace {

// A child whose descriptor 1 is `end`, for as long as this lives.
class Printer {
 public:
  explicit Printer(const Handle& end) : pid_(::fork()) {
    if (pid_ == 0) {
      ::dup2(static_cast<int>(end.get()), 1);
      if (::write(1, "kept", 4) != 4) ::_exit(1);
      for (;;) ::pause();
    }
    pin_ = std::move(**open_pidfd(Pid{pid_}));
    // It has written once the pipe has something.
  }
  ~Printer() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;

  [[nodiscard]] Result<std::optional<Handle>> reopen() const {
    return reopen_pipe(Pid{pid_}, pin_, 1);
  }

 private:
  pid_t pid_;
  Handle pin_;
};

TEST(ReopenPipe, WhatWasPrintedWhileNobodyReadIsThere) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  Pipe pipe = make_pipe().value();
  const Handle end = unbreakable_end(std::move(pipe.write_end));
  const Printer printer(end);
  std::array<char, 1> first{};
  ASSERT_EQ(read_pipe(pipe.read_end, first).value(), 1U);  // so it has written
  pipe.read_end.reset();
  const auto again = printer.reopen();
  ASSERT_TRUE(again && *again);
  std::array<char, 8> rest{};
  EXPECT_EQ(read_pipe(**again, rest).value(), 3U);
  EXPECT_EQ(std::string(rest.data(), 3), "ept");
}

TEST(ReopenPipe, APipeOfTheProcessesOwnIsLeftAlone) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Pipe pipe = make_pipe().value();
  const Printer printer(pipe.write_end);
  std::array<char, 4> bytes{};
  ASSERT_EQ(read_pipe(pipe.read_end, bytes).value(), 4U);
  const auto again = printer.reopen();
  ASSERT_TRUE(again);
  EXPECT_FALSE(*again);
}

}  // namespace
}  // namespace holdfast::os
