// SPDX-License-Identifier: Apache-2.0
#include "os/watch/file_watch.h"

#include <gtest/gtest.h>

#include "os/watch/poll.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

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
