// SPDX-License-Identifier: Apache-2.0
//
// Why an unnamed file could not get its name: two reasons with one errno.
#include "os/file/staged_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "os/dir/dir_metadata.h"
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

TEST_F(StagedFileLinux, NoContentIsPublishedThatIsNotSynced) {
  const testing::MissingCalls missing{{"fsync", EIO}, {"fdatasync", EIO}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  auto staged = StagedFile::create(tmp_.dir(), 0600);
  ASSERT_TRUE(staged);
  EXPECT_FALSE(staged->publish_new("f"_name, Durability::kFull));
  EXPECT_FALSE(staged->publish_new("f"_name, Durability::kNone));
  EXPECT_FALSE(tmp_.dir().info("f"_name).value());
  EXPECT_EQ(staged->give_name("f"_name), Placed::kPlaced);  // which leaves it to its caller
}

class StagedDirTest : public ::testing::Test {
 protected:
  Result<Placed> publish(std::uint32_t mode, std::optional<DirOwner> owner = std::nullopt) {
    auto staged = HF_TRY(StagedDir::create(tmp_.dir(), mode, owner));
    return staged.publish_new("d"_name);
  }
  FileInfo made() { return tmp_.dir().info("d"_name).value().value(); }
  testing::TempDir tmp_;
};

TEST_F(StagedDirTest, ModeIsExactWhateverTheUmask) {
  for (const mode_t mask : {mode_t{0}, mode_t{077}, mode_t{0777}}) {
    for (const std::uint32_t mode : {0U, 0755U, 01777U, 02770U}) {
      tmp_.clear();
      const mode_t old = ::umask(mask);
      const auto placed = publish(mode);
      ::umask(old);
      EXPECT_EQ(placed, Placed::kPlaced);
      EXPECT_EQ(made().mode, mode);
    }
  }
}

TEST_F(StagedDirTest, WhatHasTheNameStaysAndNoStageIsLeft) {
  ASSERT_TRUE(tmp_.dir().create_file("d"_name, 0600));
  EXPECT_EQ(publish(0755), Placed::kNameTaken);
  EXPECT_EQ(made().type, FileType::kRegular);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(tmp_.path()), {}), 1);
}

TEST_F(StagedDirTest, DroppedBeforePublishingNothingIsLeft) {
  {
    ASSERT_TRUE(StagedDir::create(tmp_.dir(), 0755, std::nullopt));
  }
  EXPECT_TRUE(std::filesystem::is_empty(tmp_.path()));
}

TEST_F(StagedDirTest, OwnerIsSetTogetherWithTheModeBitsThatItWouldClear) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives directories away";
  ASSERT_EQ(publish(02750, DirOwner{1234, 4321}), Placed::kPlaced);
  EXPECT_EQ(made().uid, 1234U);
  EXPECT_EQ(made().gid, 4321U);
  EXPECT_EQ(made().mode, 02750U);
}

TEST_F(StagedDirTest, WithoutAnExclusiveRenameItIsMadeInPlace) {
  const testing::MissingCalls missing{{"renameat2", EINVAL}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  const mode_t old = ::umask(077);
  EXPECT_EQ(publish(0755), Placed::kPlaced);
  EXPECT_EQ(publish(0700), Placed::kNameTaken);
  ::umask(old);
  EXPECT_EQ(made().mode, 0755U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(tmp_.path()), {}), 1);
}

TEST_F(StagedDirTest, ReadOnlyKernelAnswerIsRefusedByMayCreate) {
  EXPECT_TRUE(check_may_create(tmp_.dir()));
  const testing::MissingCalls missing{{"faccessat", EROFS}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  const auto may = check_may_create(tmp_.dir());
  ASSERT_FALSE(may);
  EXPECT_EQ(may.error().code, ErrorCode::kOsRefused);
}

}  // namespace
}  // namespace holdfast::os
