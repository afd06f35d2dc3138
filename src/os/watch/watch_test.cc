// SPDX-License-Identifier: Apache-2.0
#include "os/watch/watch.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "os/dir/dir.h"
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

class FileWatch : public ::testing::Test {
 protected:
  static bool is_readable(const Handle& watch) {
    pollfd one{.fd = static_cast<int>(watch.get()), .events = POLLIN, .revents = 0};
    return ::poll(&one, 1, 0) == 1;
  }
  [[nodiscard]] File make(std::string_view name) const {
    return std::move(*dir().create_file(SafeName::make(name).value(), 0600).value());
  }
  [[nodiscard]] const Dir& dir() const { return tmp_.dir(); }

  testing::TempDir tmp_;
  const SafeName name_ = SafeName::make("file").value();
};

TEST_F(FileWatch, TellsOfAWrite) {
  File file = make("file");
  const Handle watch = watch_file(file).value();
  EXPECT_FALSE(is_readable(watch));
  ASSERT_TRUE(file.write_all("x"));
  EXPECT_TRUE(is_readable(watch));
}

TEST_F(FileWatch, TellsThatAnOpenFileLostItsName) {
  const File file = make("file");
  const Handle watch = watch_file(file).value();
  ASSERT_TRUE(dir().remove_file(name_));
  EXPECT_TRUE(is_readable(watch));
}

TEST_F(FileWatch, TellsThatItWasRenamed) {
  const File file = make("file");
  const Handle watch = watch_file(file).value();
  ASSERT_TRUE(dir().rename_over(name_, SafeName::make("other").value()));
  EXPECT_TRUE(is_readable(watch));
}

TEST_F(FileWatch, TellsThatItWasReplaced) {
  const File file = make("file");
  const File other = make("other");
  const Handle watch = watch_file(file).value();
  ASSERT_TRUE(dir().rename_over(SafeName::make("other").value(), name_));
  EXPECT_TRUE(is_readable(watch));
}

TEST_F(FileWatch, IsSilentAboutLocksAndReading) {
  const File file = make("file");
  const Handle watch = watch_file(file).value();
  ASSERT_EQ(::flock(static_cast<int>(file.native()), LOCK_EX), 0);
  ASSERT_TRUE(file.read_at(0, 10));
  EXPECT_FALSE(is_readable(watch));
}

TEST_F(FileWatch, SaysSoWhereTheSystemGivesNone) {
  const File file = make("file");
  for (const auto& [call, os_code] :
       {std::pair("inotify_init", EMFILE), std::pair("inotify_add_watch", ENOSPC)}) {
    const testing::MissingCalls missing{{call, os_code}};
    testing::OldKernel kernel(missing);
    const testing::ScopedCallHook hook(kernel);
    EXPECT_FALSE(watch_file(file)) << call;
  }
}

}  // namespace
}  // namespace holdfast::os
