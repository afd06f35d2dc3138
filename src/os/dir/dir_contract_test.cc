// SPDX-License-Identifier: Apache-2.0
//
// What a Dir promises on every platform.
#include "os/dir/dir.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

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

}  // namespace
}  // namespace holdfast::os
