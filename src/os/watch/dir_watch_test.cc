// SPDX-License-Identifier: Apache-2.0
#include "os/watch/dir_watch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "os/watch/poll.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;

class DirWatchTest : public ::testing::Test {
 protected:
  DirWatchTest() : watch_(*DirWatch::open(tmp_.dir())) {}

  bool woken() {
    const bool ready = *wait_readable({&watch_.handle()}, milliseconds(0));
    EXPECT_TRUE(watch_.drain());
    return ready;
  }

  testing::TempDir tmp_;
  DirWatch watch_;
};

TEST_F(DirWatchTest, SleepsUntilSomethingHappens) {
  EXPECT_FALSE(woken());
  std::ofstream(tmp_.path("a")) << "x";
  EXPECT_TRUE(woken());
  EXPECT_FALSE(woken());
  std::ofstream(tmp_.path("a"), std::ios::app) << "y";
  EXPECT_TRUE(woken());
  std::filesystem::rename(tmp_.path("a"), tmp_.path("b"));
  EXPECT_TRUE(woken());
  std::filesystem::remove(tmp_.path("b"));
  EXPECT_TRUE(woken());
  EXPECT_FALSE(woken());
}

TEST_F(DirWatchTest, ManyEventsAreDrainedAtOnce) {
  for (int i = 0; i < 500; ++i) std::ofstream(tmp_.path("f" + std::to_string(i))) << i;
  EXPECT_TRUE(woken());
  EXPECT_FALSE(woken());
}

TEST_F(DirWatchTest, FollowsTheDirectoryAndNotItsName) {
  std::filesystem::create_directory(tmp_.path("inner"));
  const Dir inner = *tmp_.dir().open_dir(*SafeName::make("inner"));
  std::filesystem::rename(tmp_.path("inner"), tmp_.path("other"));
  std::filesystem::create_directory(tmp_.path("inner"));
  const DirWatch watch = *DirWatch::open(inner);
  std::ofstream(tmp_.path("inner/x")) << "x";
  EXPECT_FALSE(*is_readable(watch.handle()));
  std::ofstream(tmp_.path("other/x")) << "x";
  EXPECT_TRUE(*is_readable(watch.handle()));
}

TEST_F(DirWatchTest, NoMoreWatchesIsARefusalAndNotAFullDisk) {
  const testing::MissingCalls missing{{"inotify_add_watch", ENOSPC}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  const auto watch = DirWatch::open(tmp_.dir());
  ASSERT_FALSE(watch);
  EXPECT_EQ(watch.error().code, ErrorCode::kOsRefused);
}

}  // namespace
}  // namespace holdfast::os
