// SPDX-License-Identifier: Apache-2.0
#include "os/stream/stdio.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace holdfast::os {
namespace {

// A terminal or pipe that somebody else made non-blocking, and a reader slower than the writer.
TEST(StdioLinux, ANonBlockingStdoutIsWaitedFor) {
  constexpr std::size_t kSize = std::size_t{1} << 20U;  // many times what a pipe holds
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  std::size_t filled = 0;  // so that the writer's first write finds no room
  while (::write(ends[1], "x", 1) == 1) ++filled;
  const pid_t writer = ::fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    ::close(ends[0]);
    if (::dup2(ends[1], STDOUT_FILENO) < 0 || ::close(ends[1]) != 0) ::_exit(2);
    ::_exit(write_stream(Stream::kOut, std::string(kSize, 'x')) ? 0 : 1);
  }
  ::close(ends[1]);
  int status = 0;
  std::size_t total = 0;
  ::fcntl(ends[0], F_SETFL, 0);
  ::poll(nullptr, 0, 50);  // a slow reader; a quick one would prove less, and pass as well
  std::string buffer(4096, '\0');
  for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
    total += static_cast<std::size_t>(got);
  }
  ::close(ends[0]);
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(total, filled + kSize);
}

// While it lives, stdin is `fd`, which it closes.
class StdinIs {
 public:
  explicit StdinIs(int fd) {
    EXPECT_GE(fd, 0);
    EXPECT_EQ(::dup2(fd, STDIN_FILENO), STDIN_FILENO);
    ::close(fd);
  }
  StdinIs(const StdinIs&) = delete;
  StdinIs& operator=(const StdinIs&) = delete;
  ~StdinIs() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }

 private:
  int before_ = ::dup(STDIN_FILENO);
};

TEST(StdioLinux, ANonBlockingStdinIsWaitedForUntilItsEnd) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  const pid_t writer = ::fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    ::close(ends[0]);
    ::poll(nullptr, 0, 50);  // a slow writer; a quick one would prove less, and pass as well
    ::_exit(::write(ends[1], "slow", 4) == 4 ? 0 : 1);
  }
  ::close(ends[1]);
  const StdinIs pipe(ends[0]);
  std::string got(100, '\0');
  EXPECT_EQ(read_stdin_some(got).value(), 4U);
  EXPECT_EQ(got.substr(0, 4), "slow");
  EXPECT_EQ(read_stdin_some(got).value(), 0U);
  int status = 0;
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  EXPECT_EQ(status, 0);
}

StdinKind kind_of(int fd) {
  const StdinIs replaced(fd);
  return stdin_kind().value();
}

TEST(StdioLinux, WhatStandsBehindStdinIsToldApart) {
  int ends[2];
  int pair[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  EXPECT_EQ(kind_of(ends[0]), StdinKind::kPipe);
  EXPECT_EQ(kind_of(pair[0]), StdinKind::kPipe);
  ::close(ends[1]);
  ::close(pair[1]);
  EXPECT_EQ(kind_of(::open("/proc/self/exe", O_RDONLY)), StdinKind::kFile);
  EXPECT_EQ(kind_of(::open("/dev/null", O_RDONLY)), StdinKind::kNull);
  EXPECT_EQ(kind_of(::open("/dev/zero", O_RDONLY)), StdinKind::kOther);
  EXPECT_EQ(kind_of(::open("/", O_RDONLY | O_DIRECTORY)), StdinKind::kOther);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  EXPECT_EQ(kind_of(terminal), StdinKind::kTerminal);
}

TEST(StdioLinux, AClosedStdinReadsAsNothing) {
  const StdinIs anything(::open("/dev/zero", O_RDONLY));
  ::close(STDIN_FILENO);
  ASSERT_TRUE(adopt_standard_streams());
  EXPECT_EQ(stdin_kind().value(), StdinKind::kNull);
  char byte = 0;
  EXPECT_EQ(read_stdin_some({&byte, 1}).value(), 0U);
}

}  // namespace
}  // namespace holdfast::os
