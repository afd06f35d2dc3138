// SPDX-License-Identifier: Apache-2.0
#include "os/dir/remove_tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/platform.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

namespace fs = std::filesystem;

class RemoveTreeContract : public ::testing::Test {
 protected:
  void file(const std::string& path) const { std::ofstream(at(path)) << "x"; }
  void dir(const std::string& path) const { fs::create_directories(at(path)); }
  [[nodiscard]] std::string at(const std::string& path) const { return tmp_.path() + "/" + path; }
  [[nodiscard]] bool there(const std::string& path) const { return fs::exists(at(path)); }
  [[nodiscard]] TreeRemoval remove(const std::string& name = "tree") const {
    return remove_tree(tmp_.dir(), *SafeName::make(name));
  }

  testing::TempDir tmp_;
};

TEST_F(RemoveTreeContract, EverythingGoesAndIsCounted) {
  dir("tree/a/b");
  dir("tree/c");
  file("tree/one");
  file("tree/a/b/two");
  const TreeRemoval removal = remove();
  EXPECT_TRUE(removal.gone);
  EXPECT_EQ(removal.removed, 6U);
  EXPECT_EQ(removal.faults, 0U);
  EXPECT_FALSE(there("tree"));
}

TEST_F(RemoveTreeContract, WhatIsNotThereIsGone) {
  const TreeRemoval removal = remove();
  EXPECT_TRUE(removal.gone);
  EXPECT_EQ(removal.removed, 0U);
}

TEST_F(RemoveTreeContract, AFileOfThatNameGoesToo) {
  file("tree");
  EXPECT_TRUE(remove().gone);
  EXPECT_FALSE(there("tree"));
}

TEST_F(RemoveTreeContract, MoreEntriesThanOneReadingHolds) {
  dir("tree/many");
  for (int i = 0; i < 600; ++i) file("tree/many/file-with-a-long-name-" + std::to_string(i));
  const TreeRemoval removal = remove();
  EXPECT_TRUE(removal.gone);
  EXPECT_EQ(removal.removed, 602U);
}

// Under Wine the link cannot be removed and is a fault; what it leads to stays everywhere.
TEST_F(RemoveTreeContract, WhatALinkLeadsToStays) {
  dir("precious/inside");
  file("precious/file");
  dir("tree/a");
  file("tree/a/file");
  if (!testing::make_dir_link(at("precious"), at("tree/a/link"))) GTEST_SKIP() << "no links here";
  const TreeRemoval removal = remove();
  EXPECT_TRUE(there("precious/file"));
  EXPECT_TRUE(there("precious/inside"));
  EXPECT_FALSE(there("tree/a/file"));
  if (!removal.gone) {
    ASSERT_EQ(removal.faults, 1U);
    EXPECT_EQ(removal.first_faults.front().path, "tree/a/link");
    EXPECT_EQ(removal.first_faults.front().cause, "is-link");
  }
}

TEST_F(RemoveTreeContract, ALinkUnderTheNameItselfIsNotFollowed) {
  dir("precious");
  file("precious/file");
  if (!testing::make_dir_link(at("precious"), at("tree"))) GTEST_SKIP() << "no links here";
  const TreeRemoval removal = remove();
  EXPECT_TRUE(there("precious/file"));
  EXPECT_EQ(removal.gone, removal.faults == 0);
}

TEST_F(RemoveTreeContract, ALinkToAFileIsNotFollowed) {
  file("precious");
  dir("tree");
  if (!testing::make_file_link(at("precious"), at("tree/link"))) GTEST_SKIP() << "none to files";
  const TreeRemoval removal = remove();
  EXPECT_TRUE(there("precious"));
  EXPECT_EQ(removal.gone, removal.faults == 0);
}

TEST_F(RemoveTreeContract, AReadOnlyFileIsNoObstacle) {
  dir("tree/a");
  file("tree/a/file");
  fs::permissions(at("tree/a/file"), fs::perms::owner_read);
  const TreeRemoval removal = remove();
  EXPECT_TRUE(removal.gone) << (removal.first_faults.empty() ? "" : removal.first_faults[0].cause);
}

TEST_F(RemoveTreeContract, ARaisedFlagEndsItAndTheNextCallGoesOn) {
  dir("tree/a");
  file("tree/a/file");
  Flag stop;
  stop.raise();
  const TreeRemoval removal = remove_tree(tmp_.dir(), *SafeName::make("tree"), &stop);
  EXPECT_TRUE(removal.stopped);
  EXPECT_FALSE(removal.gone);
  EXPECT_TRUE(there("tree/a/file"));
  EXPECT_TRUE(remove().gone);
}

}  // namespace
}  // namespace holdfast::os
