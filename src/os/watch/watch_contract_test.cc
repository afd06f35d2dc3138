// SPDX-License-Identifier: Apache-2.0
#include "os/watch/watch.h"

#include <gtest/gtest.h>

#include "os/watch/poll.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(DirWatchContract, AChangeWakesAndDrainingQuiets) {
  const testing::TempDir tmp;
  DirWatch watch = DirWatch::open(tmp.dir()).value();
  EXPECT_FALSE(is_readable(watch.handle()).value());
  const auto name = SafeName::make("made").value();
  {
    const auto file = tmp.dir().create_file(name, 0600).value();
  }
  EXPECT_TRUE(wait_readable({&watch.handle()}, std::chrono::seconds(20)).value());
  // Events may come in several pieces; once they are drained it is quiet.
  for (int i = 0; i < 50 && is_readable(watch.handle()).value(); ++i) ASSERT_TRUE(watch.drain());
  EXPECT_FALSE(is_readable(watch.handle()).value());
  ASSERT_TRUE(tmp.dir().remove_file(name));
  EXPECT_TRUE(wait_readable({&watch.handle()}, std::chrono::seconds(20)).value());
}

using namespace std::chrono_literals;

class FileWatchContract : public ::testing::Test {
 protected:
  testing::TempDir tmp_;
  File file_ = std::move(tmp_.dir().create_file("watched"_name, 0600).value().value());
};

TEST_F(FileWatchContract, ItIsQuietUntilTheFileIsWritten) {
  const auto watch = watch_file(file_);
  ASSERT_TRUE(watch) << to_sentence(watch.error());
  EXPECT_FALSE(wait_readable({&*watch}, 50ms).value());
  ASSERT_TRUE(file_.write_all("4711"));
  EXPECT_TRUE(wait_readable({&*watch}, 10s).value());
  EXPECT_TRUE(wait_readable({&*watch}, 0ms).value()) << "it stays so";
}

TEST_F(FileWatchContract, ItTellsOfARemoval) {
  const auto watch = watch_file(file_);
  ASSERT_TRUE(watch);
  ASSERT_TRUE(file_.close());
  ASSERT_EQ(tmp_.dir().remove_file("watched"_name).value(), Removed::kRemoved);
  EXPECT_TRUE(wait_readable({&*watch}, 10s).value());
}

TEST_F(FileWatchContract, ItTellsOfAnotherInItsPlace) {
  const auto watch = watch_file(file_);
  ASSERT_TRUE(watch);
  ASSERT_TRUE(file_.close());
  ASSERT_TRUE(tmp_.dir().create_file("other"_name, 0600).value());
  ASSERT_TRUE(tmp_.dir().rename_over("other"_name, "watched"_name));
  EXPECT_TRUE(wait_readable({&*watch}, 10s).value());
}

}  // namespace
}  // namespace holdfast::os
