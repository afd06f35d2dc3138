// SPDX-License-Identifier: Apache-2.0
#include "os/process/background.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

#include "os/file/file.h"
#include "os/path/path.h"
#include "os/spawn/child.h"
#include "os/stream/pipe.h"

namespace holdfast::os {
namespace {

// What a child in the background says of itself, in one line.
std::string told_by(std::string (*look)(int stranger, int own)) {
  const int stranger = ::open("/dev/null", O_RDONLY);  // as one that came through an exec
  auto pipe = make_pipe();
  auto forked = fork_process();
  if (!pipe || !forked) return "no child";
  if (forked->in_child) {
    const auto entered = enter_background("a-name-of-the-test");
    const std::string text =
        entered ? look(stranger, static_cast<int>(pipe->write_end.get())) : entered.error().cause;
    File out(std::move(pipe->write_end), "pipe");
    exit_process(out.write_all(text) ? 0 : 1);
  }
  pipe->write_end.reset();
  ::close(stranger);
  auto text = File(std::move(pipe->read_end), "pipe").read_all(4096);
  const auto reaped = reap_child(forked->child.pid);
  return text && reaped ? *text : "nothing";
}

TEST(EnterBackground, ClosesWhatCameFromOutsideAndKeepsItsOwn) {
  EXPECT_EQ(told_by([](int stranger, int own) -> std::string {
              return std::string(::fcntl(stranger, F_GETFD) == -1 ? "closed" : "open") + " " +
                     (::fcntl(own, F_GETFD) == -1 ? "closed" : "open");
            }),
            "closed open");
}

TEST(EnterBackground, StandsInTheRootInASessionOfItsOwn) {
  EXPECT_EQ(told_by([](int, int) -> std::string {
              return working_dir().value_or("?") + (::getsid(0) == ::getpid() ? " leads" : " not");
            }),
            "/ leads");
}

TEST(EnterBackground, StandardStreamsAreTheNullDevice) {
  EXPECT_EQ(told_by([](int, int) -> std::string {
              std::string all;
              for (const char* link : {"/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2"}) {
                std::array<char, 64> target{};
                const ssize_t size = ::readlink(link, target.data(), target.size());
                all += std::string(target.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
              }
              return all;
            }),
            "/dev/null/dev/null/dev/null");
}

TEST(EnterBackground, IsShownUnderItsName) {
  EXPECT_EQ(told_by([](int, int) -> std::string {
              std::array<char, 64> name{};
              const int fd = ::open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
              const ssize_t size = ::read(fd, name.data(), name.size());
              return {name.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
            }),
            "a-name-of-the-t\n");
}

}  // namespace
}  // namespace holdfast::os
