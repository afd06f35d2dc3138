// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_names.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(MoveFile, LikeRenameNewItNeverReplaces) {
  const testing::TempDir tmp;
  std::filesystem::create_directory(tmp.path("to"));
  const Dir to = *tmp.dir().open_dir("to"_name);
  std::ofstream(tmp.path("a")) << "one";
  EXPECT_EQ(*move_new(tmp.dir(), "a"_name, to, "b"_name), Placed::kPlaced);
  EXPECT_TRUE(std::filesystem::exists(tmp.path("to/b")));
  std::ofstream(tmp.path("a")) << "two";
  EXPECT_EQ(*move_new(tmp.dir(), "a"_name, to, "b"_name), Placed::kNameTaken);
  EXPECT_EQ(std::filesystem::file_size(tmp.path("a")), 3U);
  const auto gone = move_new(tmp.dir(), "none"_name, to, "c"_name);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::kNotFound);
}

// Where no link can be made (Wine; Windows without the right to), it is said and nothing is left.

TEST(MakeLinkContract, ItIsMadeWithItsTextOrSaidNotToBe) {
  const testing::TempDir tmp;
  ASSERT_EQ(tmp.dir().make_dir("dir"_name, 0700).value(), Made::kMade);
  const auto made = make_link(tmp.dir(), "link"_name, "dir");
  if (!made) {
    EXPECT_TRUE(made.error().cause == "unsupported" || made.error().cause == "eperm")
        << made.error().cause;
    EXPECT_FALSE(tmp.dir().info("link"_name).value());
    GTEST_SKIP() << "no links here";
  }
  EXPECT_EQ(*made, Placed::kPlaced);
  EXPECT_EQ(tmp.dir().read_link("link"_name).value(), "dir");
}

TEST(MakeLinkContract, ATakenNameStaysWithWhoHasIt) {
  const testing::TempDir tmp;
  ASSERT_EQ(tmp.dir().make_dir("taken"_name, 0700).value(), Made::kMade);
  EXPECT_EQ(make_link(tmp.dir(), "taken"_name, "elsewhere").value(), Placed::kNameTaken);
  EXPECT_EQ(tmp.dir().info("taken"_name).value()->type, FileType::kDirectory);
}

TEST(MakeLinkContract, ATargetWithANulByteIsRefused) {
  const testing::TempDir tmp;
  const auto made = make_link(tmp.dir(), "link"_name, std::string("a\0b", 3));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().cause, "unsafe-name");
}

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
