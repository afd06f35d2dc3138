// SPDX-License-Identifier: Apache-2.0
#include "file/replace/dir_trust.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/replace/replace.h"
#include "testing/temp_dir.h"

namespace holdfast::file {
namespace {

Result<> look_at_mode(mode_t mode) {
  const testing::TempDir temp;
  EXPECT_EQ(::chmod(temp.path().c_str(), mode), 0);
  return check_dir(HF_TRY(os::Dir::open(temp.path())), "f", TrustDir::kOnlyOwn);
}

TEST(DirTrust, OnlyADirectoryThatNobodyElseWritesToIsTrusted) {
  for (const mode_t mode : {0700U, 0755U, 02755U, 01755U}) EXPECT_TRUE(look_at_mode(mode)) << mode;
  for (const mode_t mode : {0777U, 01777U, 0702U}) {
    const auto looked = look_at_mode(mode);
    ASSERT_FALSE(looked) << mode;
    EXPECT_EQ(looked.error().code, ErrorCode::kRefused);
    EXPECT_EQ(looked.error().cause, "untrusted-dir");
  }
}

TEST(DirTrust, ADirectoryOfAnotherUserIsRefusedUnlessAskedFor) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
  const testing::TempDir temp;
  ASSERT_EQ(::chown(temp.path().c_str(), 4711, 4711), 0);
  const auto dir = os::Dir::open(temp.path());
  ASSERT_TRUE(dir);
  const auto looked = check_dir(*dir, "f", TrustDir::kOnlyOwn);
  ASSERT_FALSE(looked);
  EXPECT_NE(looked.error().detail.find("owner 4711:4711, mode 0700"), std::string::npos)
      << looked.error().detail;
  EXPECT_TRUE(check_dir(*dir, "f", TrustDir::kAny));
}

TEST(DirTrust, AReplacementAsksBeforeAnythingIsMade) {
  const testing::TempDir temp;
  ASSERT_EQ(::chmod(temp.path().c_str(), 0777), 0);
  const auto refused = replace(temp.path() + "/f", "new", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().cause, "untrusted-dir");
  ReplaceOptions options;
  options.trust = TrustDir::kAny;
  EXPECT_TRUE(replace(temp.path() + "/f", "new", options));
}

}  // namespace
}  // namespace holdfast::file
