// SPDX-License-Identifier: Apache-2.0
#include "format/file/markdown_fence.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

// One letter per line: I inside, o outside.
std::string insides(std::initializer_list<std::string_view> lines) {
  FenceTracker fence;
  std::string out;
  for (const std::string_view line : lines) out += fence.step(line) ? 'I' : 'o';
  return out;
}

TEST(MarkdownFence, ARunOfThreeOpensAndCloses) {
  EXPECT_EQ(insides({"a", "```", "b", "```", "c"}), "ooIoo");
  EXPECT_EQ(insides({"~~~sh", "b", "~~~", "c"}), "oIoo");
  EXPECT_EQ(insides({"``", "b", "``"}), "ooo");
}

TEST(MarkdownFence, OnlyALongEnoughRunOfTheSameCharacterCloses) {
  EXPECT_EQ(insides({"````", "```", "~~~~", "`````", "c"}), "oIIoo");
  EXPECT_EQ(insides({"```", "``` x", "c"}), "oII");
  EXPECT_EQ(insides({"```", "```\t ", "c"}), "ooo");
}

TEST(MarkdownFence, IndentationUpToThreeSpacesCounts) {
  EXPECT_EQ(insides({"   ```", "x", "   ```", "c"}), "oIoo");
  EXPECT_EQ(insides({"    ```", "x"}), "oo");
  EXPECT_EQ(insides({"```", "    ```", "x"}), "oII");
  EXPECT_EQ(insides({"\t```", "x"}), "oo");
}

TEST(MarkdownFence, AnInfoStringWithABacktickIsNoFence) {
  EXPECT_EQ(insides({"``` a`b", "x"}), "oo");
  EXPECT_EQ(insides({"~~~ a`b~", "x"}), "oI");
}

TEST(MarkdownFence, WhatIsNotClosedReachesToTheEnd) {
  EXPECT_EQ(insides({"```", "", "# x", "text"}), "oIII");
}

}  // namespace
}  // namespace holdfast
