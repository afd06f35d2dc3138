// SPDX-License-Identifier: Apache-2.0
#include "os/file/staged_file.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "os/file/metadata.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class StagedFileContract : public ::testing::Test {
 protected:
  std::set<std::string> entries() {
    std::set<std::string> names;
    EXPECT_TRUE(dir().each_entry([&](std::string_view name, FileType) {
      names.emplace(name);
      return Visit::kContinue;
    }));
    return names;
  }
  std::string get(const SafeName& name) {
    auto file = dir().open_file(name, Access::kRead);
    if (!file || !*file) return "(not there)";
    return (*file)->read_all(4096).value();
  }
  [[nodiscard]] const Dir& dir() const { return temp_.dir(); }

  holdfast::testing::TempDir temp_;
};

TEST_F(StagedFileContract, NothingIsSeenUnderTheNameBeforePublish) {
  auto staged = StagedFile::create(dir(), 0600);
  ASSERT_TRUE(staged);
  ASSERT_TRUE(staged->write_all("half"));
  EXPECT_FALSE(dir().info("f"_name).value());
  for (const std::string& name : entries()) EXPECT_TRUE(is_stage_name(name)) << name;
}

TEST_F(StagedFileContract, AfterPublishTheWholeFileIsThereAndNothingElse) {
  auto staged = StagedFile::create(dir(), 0600);
  ASSERT_TRUE(staged);
  ASSERT_TRUE(staged->write_all("first, "));
  ASSERT_TRUE(staged->write_all("second"));
  EXPECT_EQ(staged->publish_new("f"_name), Placed::kPlaced);
  EXPECT_EQ(get("f"_name), "first, second");
  EXPECT_EQ(entries(), std::set<std::string>{"f"});
}

TEST_F(StagedFileContract, WithoutSyncTheWholeFileIsThereAllTheSame) {
  auto staged = StagedFile::create(dir(), 0600);
  ASSERT_TRUE(staged);
  ASSERT_TRUE(staged->write_all("bytes"));
  EXPECT_EQ(staged->publish_new("f"_name, Durability::kNone), Placed::kPlaced);
  EXPECT_EQ(get("f"_name), "bytes");
  EXPECT_EQ(entries(), std::set<std::string>{"f"});
  auto second = StagedFile::create(dir(), 0600);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->publish_new("f"_name, Durability::kNone), Placed::kNameTaken);
  EXPECT_EQ(get("f"_name), "bytes");
}

TEST_F(StagedFileContract, PublishNeverReplaces) {
  ASSERT_TRUE(dir().create_file("f"_name, 0600).value()->write_all("old"));
  {
    auto staged = StagedFile::create(dir(), 0600);
    ASSERT_TRUE(staged);
    ASSERT_TRUE(staged->write_all("new"));
    EXPECT_EQ(staged->publish_new("f"_name), Placed::kNameTaken);
  }
  EXPECT_EQ(get("f"_name), "old");
  EXPECT_EQ(entries(), std::set<std::string>{"f"});
}

TEST_F(StagedFileContract, AfterATakenNameAnotherMayBeTried) {
  ASSERT_TRUE(dir().create_file("taken"_name, 0600));
  auto staged = StagedFile::create(dir(), 0600);
  ASSERT_TRUE(staged);
  ASSERT_TRUE(staged->write_all("bytes"));
  ASSERT_EQ(staged->publish_new("taken"_name), Placed::kNameTaken);
  EXPECT_EQ(staged->publish_new("free"_name), Placed::kPlaced);
  EXPECT_EQ(get("free"_name), "bytes");
}

TEST_F(StagedFileContract, DroppedBeforePublishItLeavesNoTrace) {
  {
    auto staged = StagedFile::create(dir(), 0600);
    ASSERT_TRUE(staged);
    ASSERT_TRUE(staged->write_all("bytes"));
  }
  EXPECT_TRUE(entries().empty());
}

TEST_F(StagedFileContract, MovingKeepsOneOwner) {
  auto staged = StagedFile::create(dir(), 0600);
  ASSERT_TRUE(staged);
  {
    StagedFile moved = std::move(*staged);
    ASSERT_TRUE(moved.write_all("bytes"));
    EXPECT_EQ(moved.publish_new("f"_name), Placed::kPlaced);
  }
  EXPECT_EQ(get("f"_name), "bytes");
}

TEST_F(StagedFileContract, OfTwoPublishersOneWinsAndTheOtherIsTold) {
  auto first = StagedFile::create(dir(), 0600);
  auto second = StagedFile::create(dir(), 0600);
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(first->write_all("first"));
  ASSERT_TRUE(second->write_all("second"));
  EXPECT_EQ(second->publish_new("f"_name), Placed::kPlaced);
  EXPECT_EQ(first->publish_new("f"_name), Placed::kNameTaken);
  EXPECT_EQ(get("f"_name), "second");
}

TEST_F(StagedFileContract, APrivateFileIsOpenToNobodyElse) {
  auto staged = StagedFile::create(dir(), 0600);
  ASSERT_TRUE(staged);
  ASSERT_EQ(staged->publish_new("f"_name), Placed::kPlaced);
  auto file = dir().open_file("f"_name, Access::kRead);
  ASSERT_TRUE(file && *file);
  EXPECT_EQ((*file)->exposure().value().others, Exposure::Others::kNothing);
}

TEST(StageName, OnlyWhatAStageIsCalledCounts) {
  EXPECT_TRUE(is_stage_name(".hf-stage-0123456789abcdef0123456789abcdef"));
  for (const std::string_view name :
       {"", ".hf-stage-", ".hf-stage-0123", "hf-stage-0123456789abcdef0123456789abcdef",
        ".hf-stage-0123456789ABCDEF0123456789ABCDEF",
        ".hf-stage-0123456789abcdef0123456789abcdef.bak"}) {
    EXPECT_FALSE(is_stage_name(name)) << name;
  }
}

class StagedDirContract : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    EXPECT_TRUE(tmp_.dir().each_entry([&](std::string_view name, FileType) {
      found.emplace_back(name);
      return Visit::kContinue;
    }));
    return found;
  }

  testing::TempDir tmp_;
};

TEST_F(StagedDirContract, ItIsThereWithItsModeWhenItIsPublishedAndNotBefore) {
  {
    auto staged = StagedDir::create(tmp_.dir(), 0700, std::nullopt).value();
    ASSERT_EQ(names().size(), 1U);
    EXPECT_TRUE(is_stage_name(names().front()));
    EXPECT_EQ(staged.publish_new("made"_name).value(), Placed::kPlaced);
  }
  EXPECT_EQ(names(), std::vector<std::string>{"made"});
  const Dir made = tmp_.dir().open_dir("made"_name).value();
  EXPECT_EQ(shown_mode(made, made.info().value(), 0700).value(), 0700U);
}

TEST_F(StagedDirContract, ATakenNameStaysWithWhoHasIt) {
  ASSERT_TRUE(tmp_.dir().create_file("made"_name, 0600).value());
  {
    auto staged = StagedDir::create(tmp_.dir(), 0755, std::nullopt).value();
    EXPECT_EQ(staged.publish_new("made"_name).value(), Placed::kNameTaken);
  }
  EXPECT_EQ(names(), std::vector<std::string>{"made"});
  EXPECT_EQ(tmp_.dir().info("made"_name).value()->type, FileType::kRegular);
}

TEST_F(StagedDirContract, DroppedItLeavesNothing) {
  {
    const auto staged = StagedDir::create(tmp_.dir(), 0755, std::nullopt).value();
  }
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace holdfast::os
