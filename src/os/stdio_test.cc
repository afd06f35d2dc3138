// SPDX-License-Identifier: Apache-2.0
#include "os/stdio.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
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

}  // namespace
}  // namespace holdfast::os
