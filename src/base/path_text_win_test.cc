// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/path_text.h"

namespace holdfast {
namespace {

TEST(PathTextWin, ADriveAndAShareAreRoots) {
  EXPECT_EQ(root_length(R"(C:\a)"), 3U);
  EXPECT_EQ(root_length("C:/a"), 3U);
  EXPECT_EQ(root_length(R"(\\server\share\a)"), 15U);
  EXPECT_EQ(root_length(R"(\\server\share)"), 14U);
  EXPECT_EQ(root_length(R"(\a)"), 1U);
  EXPECT_EQ(root_length("C:a"), 0U);
  EXPECT_EQ(parent_path(R"(C:\a)"), R"(C:\)");
  EXPECT_EQ(parent_path(R"(C:\a\b)"), R"(C:\a)");
  EXPECT_EQ(last_component(R"(C:\a/b)"), "b");
  EXPECT_TRUE(is_root_path(R"(C:\)"));
  EXPECT_FALSE(is_root_path(R"(C:)"));
  EXPECT_EQ(join_path(R"(C:\)", "a"), R"(C:\a)");
}

TEST(PathTextWin, ARootWithoutADriveIsNotAbsolute) {
  EXPECT_TRUE(is_absolute_path(R"(C:\a)"));
  EXPECT_TRUE(is_absolute_path(R"(\\server\share)"));
  EXPECT_FALSE(is_absolute_path("/a"));
  EXPECT_TRUE(is_rooted_path("/a"));
  EXPECT_FALSE(is_rooted_path("C:a"));
  EXPECT_FALSE(is_rooted_path("a"));
}

}  // namespace
}  // namespace holdfast
