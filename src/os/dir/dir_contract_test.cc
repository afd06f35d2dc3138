// SPDX-License-Identifier: Apache-2.0
//
// What a Dir promises on every platform.
#include "os/dir/dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "os/dir/dir_metadata.h"
#include "testing/platform.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

SafeName dir_contract_name_of(std::string_view text) { return SafeName::make(text).value(); }

class DirContract : public ::testing::Test {
 protected:
  void put(const SafeName& name, std::string_view bytes) {
    auto file = dir().create_file(name, 0600);
    ASSERT_TRUE(file && *file);
    ASSERT_TRUE((*file)->write_all(bytes));
  }
  std::string get(const SafeName& name) {
    auto file = dir().open_file(name, Access::kRead);
    if (!file || !*file) return "(not there)";
    return (*file)->read_all(4096).value();
  }
  std::set<std::string> entries() {
    std::set<std::string> names;
    EXPECT_TRUE(dir().each_entry([&](std::string_view name, FileType) {
      EXPECT_TRUE(names.insert(std::string(name)).second) << name << " came twice";
      return Visit::kContinue;
    }));
    return names;
  }
  [[nodiscard]] const Dir& dir() const { return temp_.dir(); }

  holdfast::testing::TempDir temp_;
};

TEST_F(DirContract, ADirectoryThatIsNotThereIsNotFound) {
  const auto opened = Dir::open(temp_.path("nowhere"));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(opened.error().cause, "enoent");
  EXPECT_NE(opened.error().subject.find("nowhere"), std::string::npos);
}

TEST_F(DirContract, ADirectoryThatIsNotThereIsNotFoundHoweverAskedFor) {
  for (const auto& opened : {dir().open_dir("nowhere"_name), dir().open_dir_beneath("nowhere"),
                             Dir::open_following_links(temp_.path("nowhere"))}) {
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::kNotFound);
  }
}

TEST_F(DirContract, APathIsNotCutAtANulByte) {
  const std::string path = temp_.path() + std::string("\0/x", 3);
  for (const auto& opened : {Dir::open(path), Dir::open_following_links(path)}) {
    ASSERT_FALSE(opened) << "it led to the directory before the NUL";
    EXPECT_EQ(opened.error().code, ErrorCode::kRefused);
    EXPECT_EQ(opened.error().cause, "unsafe-name");
  }
}

TEST_F(DirContract, AFileIsRefusedAsADirectory) {
  put("f"_name, "x");
  for (const auto& opened :
       {Dir::open(temp_.path("f")), dir().open_dir("f"_name), dir().open_dir_beneath("f"),
        Dir::open_following_links(temp_.path("f"))}) {
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::kRefused);
    EXPECT_EQ(opened.error().cause, "not-a-directory");
  }
}

TEST_F(DirContract, TheSameDirectoryHasTheSameIdentityHoweverOpened) {
  ASSERT_EQ(dir().make_dir("a"_name, 0700), Made::kMade);
  const FileId id = dir().open_dir("a"_name).value().info().value().id;
  EXPECT_EQ(Dir::open(temp_.path("a")).value().info().value().id, id);
  EXPECT_EQ(Dir::open_following_links(temp_.path("a")).value().info().value().id, id);
  EXPECT_EQ(dir().info("a"_name).value()->id, id);
  EXPECT_NE(dir().info().value().id, id);
}

TEST_F(DirContract, BeneathOpensSeveralComponents) {
  ASSERT_EQ(dir().make_dir("a"_name, 0700), Made::kMade);
  ASSERT_EQ(dir().open_dir("a"_name).value().make_dir("b"_name, 0700), Made::kMade);
  const Dir b = dir().open_dir_beneath("a/b").value();
  EXPECT_EQ(b.info().value().id, Dir::open(temp_.path("a/b")).value().info().value().id);
  EXPECT_EQ(dir().open_dir_beneath("a/x/b").error().code, ErrorCode::kNotFound);
}

TEST_F(DirContract, BeneathNeverLeavesTheDirectory) {
  ASSERT_EQ(dir().make_dir("a"_name, 0700), Made::kMade);
  for (const std::string_view path : {"", "/", "/a", "a/", "a//a", "..", "a/..", "a/../..", "."}) {
    const auto opened = dir().open_dir_beneath(path);
    ASSERT_FALSE(opened) << path;
    EXPECT_EQ(opened.error().cause, "unsafe-name") << path;
  }
}

TEST_F(DirContract, AFileThatIsNotThereIsAnAnswer) {
  const auto file = dir().open_file("nothing"_name, Access::kRead);
  ASSERT_TRUE(file);
  EXPECT_FALSE(*file);
  const auto info = dir().info("nothing"_name);
  ASSERT_TRUE(info);
  EXPECT_FALSE(*info);
}

TEST_F(DirContract, ANameThatIsTakenIsAnAnswerAndWhatIsThereStays) {
  put("f"_name, "old");
  const auto again = dir().create_file("f"_name, 0600);
  ASSERT_TRUE(again);
  EXPECT_FALSE(*again);
  EXPECT_EQ(dir().make_dir("f"_name, 0700), Made::kAlreadyThere);
  EXPECT_EQ(get("f"_name), "old");
}

TEST_F(DirContract, ADirectoryIsNotOpenedAsAFile) {
  ASSERT_EQ(dir().make_dir("d"_name, 0700), Made::kMade);
  for (const Access access : {Access::kRead, Access::kReadWrite}) {
    const auto file = dir().open_file("d"_name, access);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().cause, "not-a-regular-file");
  }
}

TEST_F(DirContract, RenameNewMovesTheWholeFile) {
  put("from"_name, "bytes");
  EXPECT_EQ(dir().rename_new("from"_name, "to"_name), Placed::kPlaced);
  EXPECT_EQ(get("to"_name), "bytes");
  EXPECT_EQ(entries(), std::set<std::string>{"to"});
}

TEST_F(DirContract, RenameNewNeverReplaces) {
  put("from"_name, "new");
  put("to"_name, "old");
  EXPECT_EQ(dir().rename_new("from"_name, "to"_name), Placed::kNameTaken);
  EXPECT_EQ(get("from"_name), "new");
  EXPECT_EQ(get("to"_name), "old");
  ASSERT_EQ(dir().make_dir("empty"_name, 0700), Made::kMade);
  EXPECT_EQ(dir().rename_new("from"_name, "empty"_name), Placed::kNameTaken);
}

TEST_F(DirContract, RenameNewOfNothingIsNotFound) {
  const auto result = dir().rename_new("nothing"_name, "to"_name);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(entries().empty());
}

TEST_F(DirContract, RenameNewMovesAnOpenFileAndItStaysOpen) {
  put("from"_name, "bytes");
  auto file = dir().open_file("from"_name, Access::kReadWrite);
  ASSERT_TRUE(file && *file);
  EXPECT_EQ(dir().rename_new("from"_name, "to"_name), Placed::kPlaced);
  EXPECT_EQ((*file)->read_all(100).value(), "bytes");
}

TEST_F(DirContract, RemovingTwiceIsNotThere) {
  put("f"_name, "x");
  EXPECT_EQ(dir().remove_file("f"_name), Removed::kRemoved);
  EXPECT_EQ(dir().remove_file("f"_name), Removed::kNotThere);
  ASSERT_EQ(dir().make_dir("d"_name, 0700), Made::kMade);
  EXPECT_EQ(dir().remove_dir("d"_name), Removed::kRemoved);
  EXPECT_EQ(dir().remove_dir("d"_name), Removed::kNotThere);
}

TEST_F(DirContract, RemoveTakesOnlyTheKindItIsFor) {
  put("f"_name, "x");
  ASSERT_EQ(dir().make_dir("d"_name, 0700), Made::kMade);
  EXPECT_EQ(dir().remove_dir("f"_name).error().cause, "enotdir");
  EXPECT_EQ(dir().remove_file("d"_name).error().code, ErrorCode::kOsRefused);
  EXPECT_EQ(entries(), (std::set<std::string>{"d", "f"}));
}

TEST_F(DirContract, ADirectoryWithEntriesStays) {
  ASSERT_EQ(dir().make_dir("d"_name, 0700), Made::kMade);
  ASSERT_TRUE(dir().open_dir("d"_name).value().create_file("f"_name, 0600));
  EXPECT_EQ(dir().remove_dir("d"_name).error().cause, "enotempty");
  EXPECT_TRUE(dir().info("d"_name).value());
}

TEST_F(DirContract, EachEntryListsAllOfManyWithTheirTypes) {
  std::set<std::string> made;
  for (int i = 0; i < 1000; ++i) {
    made.insert("a-name-long-enough-to-need-several-reads-" + std::to_string(i));
  }
  for (const std::string& name : made)
    ASSERT_TRUE(dir().create_file(dir_contract_name_of(name), 0600));
  EXPECT_EQ(entries(), made);
}

TEST_F(DirContract, EachEntryTellsTypesAndSkipsTheDots) {
  put("f"_name, "x");
  ASSERT_EQ(dir().make_dir("d"_name, 0700), Made::kMade);
  ASSERT_TRUE(dir().each_entry([](std::string_view name, FileType type) {
    if (type != FileType::kUnknown) {
      EXPECT_EQ(type, name == "d" ? FileType::kDirectory : FileType::kRegular) << name;
    }
    return Visit::kContinue;
  }));
  EXPECT_EQ(entries(), (std::set<std::string>{"d", "f"}));
}

TEST_F(DirContract, StopEndsTheWalkAndTheNextOneStartsAfresh) {
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(dir().create_file(dir_contract_name_of(std::to_string(i)), 0600));
  int seen = 0;
  ASSERT_TRUE(dir().each_entry(
      [&](std::string_view, FileType) { return ++seen == 3 ? Visit::kStop : Visit::kContinue; }));
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(entries().size(), 10U);
}

TEST_F(DirContract, AWalkInsideAWalkDisturbsNeither) {
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(dir().create_file(dir_contract_name_of(std::to_string(i)), 0600));
  int pairs = 0;
  ASSERT_TRUE(dir().each_entry([&](std::string_view, FileType) {
    pairs += static_cast<int>(entries().size());
    return Visit::kContinue;
  }));
  EXPECT_EQ(pairs, 25);
}

TEST_F(DirContract, NamesInManyScriptsComeBackAsTheyWereGiven) {
  const std::set<std::string> names{"grüße", "日本語", "😀", "two words", "-dash", "e\u0301"};
  for (const std::string& name : names) put(dir_contract_name_of(name), name);
  EXPECT_EQ(entries(), names);
  for (const std::string& name : names) EXPECT_EQ(get(dir_contract_name_of(name)), name);
}

TEST_F(DirContract, TheLongestNameWorksInAVeryLongPath) {
  const SafeName longest = dir_contract_name_of(std::string(255, 'x'));
  Dir deep = Dir::open(temp_.path()).value();
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(deep.make_dir(longest, 0700), Made::kMade);
    deep = deep.open_dir(longest).value();
  }
  ASSERT_GT(deep.path().size(), 1024U);
  auto file = deep.create_file(longest, 0600);
  ASSERT_TRUE(file && *file);
  ASSERT_TRUE((*file)->write_all("deep"));
  EXPECT_EQ(deep.rename_new(longest, "short"_name), Placed::kPlaced);
  EXPECT_EQ(deep.open_file("short"_name, Access::kRead).value()->read_all(10).value(), "deep");
}

TEST_F(DirContract, APrivateDirectoryIsOpenToNobodyElse) {
  ASSERT_EQ(dir().make_dir("private"_name, 0700), Made::kMade);
  const Exposure exposure = dir().open_dir("private"_name).value().exposure().value();
  EXPECT_EQ(exposure.owner, Exposure::Owner::kSelf);
  EXPECT_EQ(exposure.others, Exposure::Others::kNothing);
}

TEST_F(DirContract, SyncSucceeds) { EXPECT_TRUE(dir().sync()); }

// Links below a Dir: none is followed, whatever is asked, and what they lead to stays untouched.
//
// Under Wine 8 a link shows by path only, or by the real path of what was opened, so there even
// acts on the link itself are refused; and one that leads nowhere is not there at all.

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

// Where it is told at all, neither new entries nor a rename change it.
TEST(BirthTimeContract, ItStays) {
  const testing::TempDir tmp;
  std::filesystem::create_directory(tmp.path("a"));
  std::int64_t before = 0;
  {
    const Dir dir = *tmp.dir().open_dir("a"_name);
    before = *birth_time_of(dir);
    EXPECT_GE(before, 0);
  }
  std::ofstream(tmp.path("a/file")) << "x";
  ASSERT_EQ(*tmp.dir().rename_new("a"_name, "b"_name), Placed::kPlaced);
  EXPECT_EQ(*birth_time_of(*tmp.dir().open_dir("b"_name)), before);
}

}  // namespace
}  // namespace holdfast::os
