// SPDX-License-Identifier: Apache-2.0
#include "os/dir/staged_dir.h"

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
