// SPDX-License-Identifier: Apache-2.0
#include "os/watch/dir_watch.h"

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

}  // namespace
}  // namespace holdfast::os
