// SPDX-License-Identifier: Apache-2.0
#include "os/dir/staged_dir.h"

#include <gtest/gtest.h>

#include "os/file/metadata.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

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
