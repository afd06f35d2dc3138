// SPDX-License-Identifier: Apache-2.0
//
// Links below a Dir: none is followed, whatever is asked, and what they lead to stays untouched.
//
// Under Wine 8 a link shows by path only, or by the real path of what was opened, so there even
// acts on the link itself are refused; and one that leads nowhere is not there at all.
#include <gtest/gtest.h>

#include <string>

#include "os/dir/dir.h"
#include "testing/links.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using holdfast::testing::make_dir_link;
using holdfast::testing::make_file_link;

constexpr const char* kNoFileLinks = "this platform cannot show a link to a file as a link";
constexpr const char* kNoDirLinks = "this platform cannot make a link to a directory";

// `target/kept` with content; tests link to it.
class DirLinksContract : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(dir().make_dir("target"_name, 0700), Made::kMade);
    auto kept = dir().open_dir("target"_name).value().create_file("kept"_name, 0600);
    ASSERT_TRUE(kept && *kept);
    ASSERT_TRUE((*kept)->write_all("kept"));
  }
  void TearDown() override {
    auto kept = dir().open_dir("target"_name).value().open_file("kept"_name, Access::kRead);
    ASSERT_TRUE(kept && *kept) << "what the link leads to was harmed";
    EXPECT_EQ((*kept)->read_all(100).value(), "kept");
  }
  bool link_to_dir() { return make_dir_link(temp_.path("target"), temp_.path("link")); }
  bool link_to_file() { return make_file_link(temp_.path("target/kept"), temp_.path("link")); }
  [[nodiscard]] const Dir& dir() const { return temp_.dir(); }

  holdfast::testing::TempDir temp_;
};

void expect_is_link(const Error& error) {
  EXPECT_EQ(error.code, ErrorCode::kRefused);
  EXPECT_EQ(error.cause, "is-link");
}

TEST_F(DirLinksContract, ALinkIsNotOpenedAsADirectory) {
  if (!link_to_dir()) GTEST_SKIP() << kNoDirLinks;
  for (const auto& opened : {Dir::open(temp_.path("link")), dir().open_dir("link"_name),
                             dir().open_dir_beneath("link")}) {
    ASSERT_FALSE(opened);
    expect_is_link(opened.error());
  }
}

TEST_F(DirLinksContract, ATrailingSeparatorDoesNotMakeALinkADirectory) {
  if (!link_to_dir()) GTEST_SKIP() << kNoDirLinks;
  for (const char* path : {"link/", "link//", "link/.", "link/./", "link/././/."}) {
    const auto opened = Dir::open(temp_.path(path));
    ASSERT_FALSE(opened) << path;
    expect_is_link(opened.error());
  }
  EXPECT_TRUE(Dir::open(temp_.path("target/.")));
}

TEST_F(DirLinksContract, ALinkInTheMiddleIsRefused) {
  ASSERT_EQ(dir().open_dir("target"_name).value().make_dir("inner"_name, 0700), Made::kMade);
  if (!link_to_dir()) GTEST_SKIP() << kNoDirLinks;
  const auto opened = dir().open_dir_beneath("link/inner");
  ASSERT_FALSE(opened);
  expect_is_link(opened.error());
  EXPECT_TRUE(dir().open_dir_beneath("target/inner"));
}

TEST_F(DirLinksContract, LinksAboveTheLastComponentAreFollowed) {
  ASSERT_EQ(dir().open_dir("target"_name).value().make_dir("inner"_name, 0700), Made::kMade);
  if (!link_to_dir()) GTEST_SKIP() << kNoDirLinks;
  const auto opened = Dir::open(temp_.path("link/inner"));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->info().value().id,
            dir().open_dir_beneath("target/inner").value().info().value().id);
}

TEST_F(DirLinksContract, WhoAsksForItGetsWhatTheLinkLeadsTo) {
  if (!link_to_dir()) GTEST_SKIP() << kNoDirLinks;
  const auto opened = Dir::open_following_links(temp_.path("link"));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->info().value().id, dir().open_dir("target"_name).value().info().value().id);
  EXPECT_TRUE(opened->info("kept"_name).value());
}

TEST_F(DirLinksContract, ALinkIsToldAsALink) {
  if (!link_to_dir()) GTEST_SKIP() << kNoDirLinks;
  const auto info = dir().info("link"_name);
  ASSERT_TRUE(info && *info);
  EXPECT_EQ((*info)->type, FileType::kLink);
  FileType listed = FileType::kUnknown;
  ASSERT_TRUE(dir().each_entry([&](std::string_view name, FileType type) {
    if (name == "link") listed = type;
    return Visit::kContinue;
  }));
  EXPECT_TRUE(listed == FileType::kLink || listed == FileType::kUnknown);
}

TEST_F(DirLinksContract, ALinkToADirectoryIsNoFileAndKeepsItsName) {
  if (!link_to_dir()) GTEST_SKIP() << kNoDirLinks;
  expect_is_link(dir().open_file("link"_name, Access::kReadWrite).error());
  EXPECT_FALSE(dir().create_file("link"_name, 0600).value());
  EXPECT_EQ(dir().make_dir("link"_name, 0700), Made::kAlreadyThere);
}

TEST_F(DirLinksContract, RemovingALinkNeverRemovesWhatItLeadsTo) {
  ASSERT_EQ(dir().make_dir("empty"_name, 0700), Made::kMade);
  if (!make_dir_link(temp_.path("empty"), temp_.path("link"))) GTEST_SKIP() << kNoDirLinks;
  EXPECT_FALSE(dir().remove_dir("link"_name));
  const auto removed = dir().remove_file("link"_name);
  if (!removed) expect_is_link(removed.error());  // Wine cannot reach the link itself
  EXPECT_TRUE(dir().info("empty"_name).value());
}

TEST_F(DirLinksContract, RenamingALinkNeverMovesWhatItLeadsTo) {
  if (!link_to_dir()) GTEST_SKIP() << kNoDirLinks;
  const auto renamed = dir().rename_new("link"_name, "moved"_name);
  if (!renamed) expect_is_link(renamed.error());  // Wine cannot reach the link itself
  EXPECT_EQ(dir().info("target"_name).value()->type, FileType::kDirectory);
}

TEST_F(DirLinksContract, ALinkIsNotOpenedAsAFile) {
  if (!link_to_file()) GTEST_SKIP() << kNoFileLinks;
  for (const Access access : {Access::kRead, Access::kReadWrite}) {
    const auto file = dir().open_file("link"_name, access);
    ASSERT_FALSE(file);
    expect_is_link(file.error());
  }
}

TEST_F(DirLinksContract, ALinkToNothingStillTakesTheName) {
  if (!make_file_link(temp_.path("nowhere"), temp_.path("link"))) GTEST_SKIP() << kNoFileLinks;
  EXPECT_FALSE(dir().create_file("link"_name, 0600).value());
  EXPECT_FALSE(dir().info("nowhere"_name).value());
}

TEST_F(DirLinksContract, RemovingALinkToAFileRemovesTheLink) {
  if (!link_to_file()) GTEST_SKIP() << kNoFileLinks;
  const auto removed = dir().remove_file("link"_name);
  if (!removed) return expect_is_link(removed.error());  // Wine cannot reach the link itself
  EXPECT_EQ(*removed, Removed::kRemoved);
  EXPECT_FALSE(dir().info("link"_name).value());
}

}  // namespace
}  // namespace holdfast::os
