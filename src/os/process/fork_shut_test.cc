// SPDX-License-Identifier: Apache-2.0
#include "os/process/fork_shut.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

// What a child by fork(3) says of itself.
int in_a_child(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit(act());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class ForkShutTest : public ::testing::Test {
 protected:
  int open_file(const char* name) {
    return open((dir_.path() + "/" + name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  }
  testing::TempDir dir_;
};

bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

TEST_F(ForkShutTest, AChildHasNoneOfWhatIsWatched) {
  const int fd = open_file("a");
  const int other = open_file("b");
  ForkShut shut;
  const std::array<NativeHandle, 2> handles{fd, HandleTraits::nothing()};
  ASSERT_TRUE(shut.watch(handles));
  EXPECT_EQ(in_a_child([&] { return (is_open(fd) ? 1 : 0) + (is_open(other) ? 0 : 2); }), 0);
  EXPECT_TRUE(is_open(fd));
  close(fd);
  close(other);
}

TEST_F(ForkShutTest, ALockOfADeadParentDoesNotLiveOnInItsChild) {
  const int fd = open_file("a");
  ForkShut shut;
  const std::array<NativeHandle, 1> handles{fd};
  ASSERT_TRUE(shut.watch(handles));
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  int gate[2];
  int born[2];
  ASSERT_EQ(pipe(gate), 0);
  ASSERT_EQ(pipe(born), 0);
  char byte = 0;
  const pid_t child = fork();
  if (child == 0) {
    close(gate[1]);
    _exit(write(born[1], "x", 1) == 1 && read(gate[0], &byte, 1) == 0 ? 0 : 1);
  }
  ASSERT_EQ(read(born[0], &byte, 1), 1);
  close(fd);  // the parent's only copy, as its death would
  const int again = open_file("a");
  EXPECT_EQ(flock(again, LOCK_EX | LOCK_NB), 0);
  close(gate[1]);
  waitpid(child, nullptr, 0);
  close(gate[0]);
  close(born[0]);
  close(born[1]);
  close(again);
}

TEST_F(ForkShutTest, ANumberThatIsAnotherFileByNowIsLeftAlone) {
  const int fd = open_file("a");
  ForkShut shut;
  const std::array<NativeHandle, 1> handles{fd};
  ASSERT_TRUE(shut.watch(handles));
  const int other = open_file("b");
  ASSERT_EQ(dup2(other, fd), fd);
  EXPECT_EQ(in_a_child([&] { return is_open(fd) ? 0 : 1; }), 0);
  close(fd);
  close(other);
}

TEST_F(ForkShutTest, NothingIsClosedOnceNobodyWatches) {
  const int fd = open_file("a");
  {
    ForkShut shut;
    const std::array<NativeHandle, 1> handles{fd};
    ASSERT_TRUE(shut.watch(handles));
  }
  EXPECT_EQ(in_a_child([&] { return is_open(fd) ? 0 : 1; }), 0);
  ForkShut shut;
  const std::array<NativeHandle, 1> handles{fd};
  ASSERT_TRUE(shut.watch(handles));
  ASSERT_TRUE(shut.watch({}));
  EXPECT_EQ(in_a_child([&] { return is_open(fd) ? 0 : 1; }), 0);
  close(fd);
}

}  // namespace
}  // namespace holdfast::os
