// SPDX-License-Identifier: Apache-2.0
#include "os/path/real_path.h"

#include <gtest/gtest.h>

#include "testing/links.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(RealPathContract, ItLeadsToTheSameDirectory) {
  const testing::TempDir tmp;
  const std::string path = real_path_of(tmp.dir()).value();
  EXPECT_EQ(Dir::open_without_links(path).value().info().value().id, tmp.dir().info().value().id);
}

TEST(RealPathContract, ALinkOnTheWayIsResolved) {
  const testing::TempDir tmp;
  ASSERT_EQ(tmp.dir().make_dir("real"_name, 0700).value(), Made::kMade);
  if (!testing::make_dir_link(tmp.path("real"), tmp.path("link"))) GTEST_SKIP() << "no links here";
  const Dir dir = Dir::open_following_links(tmp.path("link")).value();
  const std::string path = real_path_of(dir).value();
  EXPECT_TRUE(path.ends_with("real")) << path;
}

}  // namespace
}  // namespace holdfast::os
