// SPDX-License-Identifier: Apache-2.0
#include "base/path_text.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(PathText, CutsAtTheLastSeparatorAndNeverIntoTheRoot) {
  EXPECT_EQ(last_component("/a/b"), "b");
  EXPECT_EQ(parent_path("/a/b"), "/a");
  EXPECT_EQ(last_component("/a"), "a");
  EXPECT_EQ(parent_path("/a"), "/");
  EXPECT_EQ(last_component("a"), "a");
  EXPECT_EQ(parent_path("a"), "");
  EXPECT_EQ(parent_path("/"), "/");
  EXPECT_EQ(last_component("/"), "");
  EXPECT_TRUE(is_root_path("/"));
  EXPECT_FALSE(is_root_path("/a"));
  EXPECT_FALSE(is_root_path(""));
}

TEST(PathText, JoinsWithOneSeparator) {
  EXPECT_EQ(join_path("/", "a"), "/a");
  EXPECT_EQ(join_path("", "a"), "a");
  EXPECT_EQ(join_path("x", "a"), std::string("x") + path_separator() + "a");
}

TEST(PathText, TrailingSeparatorsGoButNotTheRoot) {
  EXPECT_EQ(without_trailing_separators("/a//"), "/a");
  EXPECT_EQ(without_trailing_separators("/"), "/");
  EXPECT_EQ(without_trailing_separators("a/"), "a");
}

TEST(PathText, BelowIsAWholeComponentBelow) {
  EXPECT_TRUE(is_at_or_below("/a/b", "/a"));
  EXPECT_TRUE(is_at_or_below("/a", "/a"));
  EXPECT_TRUE(is_at_or_below("/a", "/"));
  EXPECT_FALSE(is_at_or_below("/ab", "/a"));
  EXPECT_FALSE(is_at_or_below("/", "/a"));
}

TEST(PathText, AShellGetsItsLineAsOneWord) { EXPECT_EQ(shell_words("x \"y\"").back(), "x \"y\""); }

}  // namespace
}  // namespace holdfast
