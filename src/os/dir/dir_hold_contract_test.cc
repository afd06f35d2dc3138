// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_hold.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class DirHoldContract : public ::testing::Test {
 protected:
  DirHoldContract() {
    std::filesystem::create_directory(tmp_.path("one"));
    std::filesystem::create_directory(tmp_.path("two"));
    std::filesystem::create_directory(tmp_.path("elsewhere"));
  }

  Hold hold(const Dir& dir) {
    auto held = hold_dir(tmp_.dir(), dir, "holds"_name, Duration::zero());
    EXPECT_TRUE(held) << to_sentence(held.error());
    return held.value_or(Hold());
  }
  Dir open(const SafeName& name) { return *tmp_.dir().open_dir(name); }

  testing::TempDir tmp_;
};

TEST_F(DirHoldContract, OneHolderAtATime) {
  const Dir first = open("one"_name);
  const Dir again = open("one"_name);
  const Dir other = open("two"_name);
  Hold held = hold(first);
  ASSERT_TRUE(held);
  EXPECT_FALSE(hold(again));
  EXPECT_TRUE(hold(other));
  held.reset();
  EXPECT_TRUE(hold(again));
}

TEST_F(DirHoldContract, TheHoldGoesWithTheDirectoryThatIsMoved) {
  Dir dir = open("one"_name);
  const Dir to = open("elsewhere"_name);
  const Hold held = hold(dir);
  ASSERT_TRUE(held);
  std::ofstream(tmp_.path("one/file")) << "x";
  const auto moved = move_open(tmp_.dir(), "one"_name, to, "new"_name, dir);
  ASSERT_TRUE(moved) << to_sentence(moved.error());
  EXPECT_EQ(*moved, Placed::kPlaced);
  EXPECT_TRUE(std::filesystem::exists(tmp_.path("elsewhere/new/file")));
  EXPECT_TRUE(*dir.info("file"_name));  // open at its new place
  const Dir seen = *to.open_dir("new"_name);
  EXPECT_FALSE(hold(seen));
}

TEST_F(DirHoldContract, ANameThatIsTakenStaysAndTheDirectoryStaysOpen) {
  Dir dir = open("one"_name);
  std::ofstream(tmp_.path("one/file")) << "x";
  EXPECT_EQ(*move_open(tmp_.dir(), "one"_name, tmp_.dir(), "two"_name, dir), Placed::kNameTaken);
  EXPECT_TRUE(*dir.info("file"_name));
}

TEST_F(DirHoldContract, ADirectoryThatIsOpenHereIsRemoved) {
  Dir dir = open("one"_name);
  EXPECT_EQ(*remove_open(tmp_.dir(), "one"_name, dir), Removed::kRemoved);
  EXPECT_FALSE(std::filesystem::exists(tmp_.path("one")));
}

}  // namespace
}  // namespace holdfast::os
