// SPDX-License-Identifier: Apache-2.0
#include "file/tree/copy_tree.h"

#include <filesystem>

#include "file/tree/copy_tree_fixture.h"
#include "testing/platform.h"

namespace holdfast::file {
namespace {

using CopyTree = CopyTreeFixture;

TEST_F(CopyTree, EverythingIsCopiedAndTakenAwayAgain) {
  put("from/plain", "plain");
  put("from/secret", "secret", 0600);
  fs::create_directories(at("from/dir/deep"));
  put("from/dir/deep/file", "deep");
  ASSERT_TRUE(copy(os::Durability::kFull));
  EXPECT_EQ(content("to/plain"), "plain");
  EXPECT_EQ(content("to/secret"), "secret");
  EXPECT_EQ(content("to/dir/deep/file"), "deep");
  EXPECT_EQ(mode("to/secret"), 0600U);
  const TreePlan planned = plan_tree(*os::Dir::open(at("from")), nullptr).value();
  remove_copy(planned, *os::Dir::open(at("to")));
  EXPECT_TRUE(fs::is_empty(at("to")));
}

TEST_F(CopyTree, ALinkOutOfTheTreeIsRefusedBeforeAnythingIsCopied) {
  put("from/a", "first");
  fs::create_directory(at("elsewhere"));
  if (!testing::make_dir_link(at("elsewhere"), at("from/link"))) GTEST_SKIP() << "no links here";
  EXPECT_FALSE(copy());
  EXPECT_TRUE(fs::is_empty(at("to")));
}

TEST_F(CopyTree, WhatChangedSinceTheLookIsNotCopied) {
  put("from/file", "text");
  const os::Dir from = *os::Dir::open(at("from"));
  const os::Dir to = *os::Dir::open(at("to"));
  const TreePlan planned = *plan_tree(from, nullptr);
  put("from/file", "longer text");
  const auto copied = copy_tree(from, planned, to, os::Durability::kNone);
  EXPECT_EQ(cause_of(copied), "changed-meanwhile");
  remove_copy(planned, to);
  EXPECT_TRUE(fs::is_empty(at("to")));
}

TEST(LinkStaysInside, WhateverLiesOnTheWay) {
  EXPECT_TRUE(link_stays_inside("a", 0));
  EXPECT_TRUE(link_stays_inside("./a/b", 0));
  EXPECT_TRUE(link_stays_inside("../a", 1));
  EXPECT_TRUE(link_stays_inside("./../../a/b/", 2));
  EXPECT_FALSE(link_stays_inside("", 0));
  EXPECT_FALSE(link_stays_inside("/a", 3));
  EXPECT_FALSE(link_stays_inside("..", 0));
  EXPECT_FALSE(link_stays_inside("../..", 1));
  EXPECT_FALSE(link_stays_inside(".././..", 1));
  // `a` may be a link to the top.
  EXPECT_FALSE(link_stays_inside("a/../b", 0));
  EXPECT_FALSE(link_stays_inside("a/..", 5));
}

TEST(CopiedMode, IsNeverWider) {
  EXPECT_EQ(copied_mode(06644, true, false), 0644U);
  EXPECT_EQ(copied_mode(0640, true, false), 0640U);
  EXPECT_EQ(copied_mode(0640, false, false), 0600U);  // another group
  EXPECT_EQ(copied_mode(0664, false, false), 0644U);
  EXPECT_EQ(copied_mode(0644, true, true), 0600U);  // a list may have denied somebody
  EXPECT_EQ(copied_mode(0711, true, false), 0700U);
  EXPECT_EQ(copied_mode(0620, true, false), 0600U);
  EXPECT_EQ(copied_mode(0, true, false), 0U);
}

TEST_F(CopyTree, AReservedNameIsRefusedAtTheTopOnly) {
  fs::create_directory(at("from/dir"));
  put("from/dir/harness.json", "");
  EXPECT_EQ(refusal(), "(none)");
  put("from/harness.json", "");
  EXPECT_EQ(refusal(), "reserved-name");
}

TEST_F(CopyTree, ItIsNotCopiedDeeperThanTheLimit) {
  std::string path = "from";
  for (std::size_t i = 0; i <= kMaxTreeDepth; ++i) {
    path += "/d";
    fs::create_directory(at(path));
    if (i + 1 == kMaxTreeDepth) {
      EXPECT_EQ(refusal(), "(none)");
    }
  }
  EXPECT_EQ(refusal(), "too-deep");
}

}  // namespace
}  // namespace holdfast::file
