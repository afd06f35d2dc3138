// SPDX-License-Identifier: Apache-2.0
//
// Why an unnamed file could not get its name: two reasons with one errno.
#include "os/file/staged_file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class StagedFileLinux : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_unnamed_files()) GTEST_SKIP() << "no unnamed files here";
  }
  // A file system without them would have given the stage a name.
  [[nodiscard]] bool has_unnamed_files() const {
    const auto staged = StagedFile::create(tmp_.dir(), 0600);
    return staged && std::filesystem::is_empty(tmp_.path());
  }
  testing::TempDir tmp_;
};

TEST_F(StagedFileLinux, WithoutProcTheSystemRefusedAndNothingIsMissing) {
  const testing::MissingCalls missing{{"linkat", ENOENT}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  auto staged = StagedFile::create(tmp_.dir(), 0600);
  ASSERT_TRUE(staged);
  const auto placed = staged->publish_new("f"_name);
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().code, ErrorCode::kOsRefused);
  EXPECT_EQ(placed.error().cause, "no-proc");
  EXPECT_NE(placed.error().detail.find("/proc"), std::string::npos);
}

TEST_F(StagedFileLinux, ADirectoryThatWasRemovedIsNotFound) {
  ASSERT_TRUE(tmp_.dir().make_dir("d"_name, 0700));
  const Dir dir = tmp_.dir().open_dir("d"_name).value();
  auto staged = StagedFile::create(dir, 0600);
  ASSERT_TRUE(staged);
  ASSERT_EQ(tmp_.dir().remove_dir("d"_name), Removed::kRemoved);
  const auto placed = staged->publish_new("f"_name);
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().code, ErrorCode::kNotFound);
}

TEST_F(StagedFileLinux, WithoutDurabilityNothingIsSynced) {
  const testing::MissingCalls missing{{"fsync", EIO}, {"fdatasync", EIO}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  auto staged = StagedFile::create(tmp_.dir(), 0600);
  ASSERT_TRUE(staged);
  EXPECT_FALSE(staged->publish_new("f"_name, Durability::kFull));
  EXPECT_EQ(staged->publish_new("f"_name, Durability::kNone), Placed::kPlaced);
}

}  // namespace
}  // namespace holdfast::os
