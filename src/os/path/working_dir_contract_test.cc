// SPDX-License-Identifier: Apache-2.0
#include "os/path/working_dir.h"

#include <gtest/gtest.h>

#include "os/dir/dir.h"

namespace holdfast::os {
namespace {

TEST(WorkingDirContract, ItIsWhereRelativePathsStart) {
  const auto path = working_dir();
  ASSERT_TRUE(path);
  EXPECT_EQ(Dir::open_following_links(*path).value().info().value().id,
            Dir::open_following_links(".").value().info().value().id);
}

}  // namespace
}  // namespace holdfast::os
