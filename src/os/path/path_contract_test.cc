// SPDX-License-Identifier: Apache-2.0
#include "os/path/path.h"

#include <gtest/gtest.h>

#include <string>

#include "base/path_text.h"
#include "os/dir/dir.h"
#include "os/path/safe_name.h"
#include "testing/platform.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(WorkingDirContract, ItIsWhereRelativePathsStart) {
  const auto path = working_dir();
  ASSERT_TRUE(path);
  EXPECT_EQ(Dir::open_following_links(*path).value().info().value().id,
            Dir::open_following_links(".").value().info().value().id);
}

TEST(AbsoluteContract, ARelativePathStartsAtTheWorkingDirectory) {
  EXPECT_EQ(*absolute_from_here("a"), join_path(*working_dir(), "a"));
}

TEST(AbsoluteContract, AnAbsolutePathIsNoOther) {
  const std::string here = *working_dir();
  EXPECT_TRUE(is_absolute_path(here));
  EXPECT_EQ(*absolute_from_here(here), here);
  EXPECT_TRUE(is_absolute_path(*absolute_from_here("/a")));
}

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

SafeName canonical_name_contract_name_of(std::string_view text) {
  return SafeName::make(text).value();
}

TEST(StoredNameContract, AFileHasTheNameThatItsDirectoryHas) {
  const testing::TempDir tmp;
  ASSERT_TRUE(tmp.dir().create_file(canonical_name_contract_name_of("Data"), 0600).value());
  EXPECT_EQ(canonical_name(tmp.dir(), canonical_name_contract_name_of("Data")).value().str(),
            "Data");
  const bool is_one_file =
      tmp.dir().info(canonical_name_contract_name_of("dATA")).value().has_value();
  EXPECT_EQ(canonical_name(tmp.dir(), canonical_name_contract_name_of("dATA")).value().str(),
            is_one_file ? "Data" : "dATA");
}

TEST(StoredNameContract, ANameThatNobodyHasIsAsItWasTyped) {
  const testing::TempDir tmp;
  EXPECT_EQ(canonical_name(tmp.dir(), canonical_name_contract_name_of("New")).value().str(), "New");
}

TEST(StoredNameContract, ALinkHasItsOwnName) {
  const testing::TempDir tmp;
  ASSERT_EQ(tmp.dir().make_dir("target"_name, 0700).value(), Made::kMade);
  if (!testing::make_dir_link(tmp.path("target"), tmp.path("link"))) GTEST_SKIP() << "no links";
  EXPECT_EQ(canonical_name(tmp.dir(), "link"_name).value().str(), "link");
}

void expect_refused(std::string_view text) {
  const auto name = SafeName::make(text);
  ASSERT_FALSE(name) << text;
  EXPECT_EQ(name.error().code, ErrorCode::kRefused);
  EXPECT_EQ(name.error().cause, "unsafe-name");
  EXPECT_FALSE(name.error().detail.empty());
}

TEST(SafeNameContract, OrdinaryNamesAreKeptByteForByte) {
  for (const std::string_view text :
       {"a", "session.json", "..a", "a..b", ".hidden", "two words", "fix-160", "grüße-日本-😀"}) {
    const auto name = SafeName::make(text);
    ASSERT_TRUE(name) << text;
    EXPECT_EQ(name->str(), text);
  }
}

TEST(SafeNameContract, NothingThatLeavesTheDirectoryIsAName) {
  for (const std::string_view text : {"", ".", "..", "/", "a/b", "/a", "a/", "../a"}) {
    expect_refused(text);
  }
}

TEST(SafeNameContract, ANulByteIsRefused) { expect_refused(std::string_view("a\0b", 3)); }

TEST(SafeNameContract, LengthIsCountedInBytes) {
  EXPECT_TRUE(SafeName::make(std::string(255, 'x')));
  expect_refused(std::string(256, 'x'));
  std::string two_byte_letters;
  for (int i = 0; i < 128; ++i) two_byte_letters += "ä";
  expect_refused(two_byte_letters);
}

TEST(SafeNameContract, ALiteralEqualsTheSameNameMade) {
  const SafeName literal = "locks"_name;
  EXPECT_EQ(literal, *SafeName::make("locks"));
}

}  // namespace
}  // namespace holdfast::os
