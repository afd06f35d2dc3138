// SPDX-License-Identifier: Apache-2.0
//
// The same failure has the same code and cause everywhere, whatever number the system gave it.
#include "os/sys/os_error.h"

#include <gtest/gtest.h>

#include "os/dir/dir.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

Error error_of_a_missing_directory() {
  const holdfast::testing::TempDir temp;
  return Dir::open(temp.path("nowhere")).error();
}

TEST(OsErrorContract, WhatIsMissingIsNotFoundEverywhere) {
  const Error error = error_of_a_missing_directory();
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_EQ(error.cause, "enoent");
  EXPECT_NE(error.os_code, 0);
}

TEST(OsErrorContract, TheSameNumberGivesTheSameError) {
  const Error seen = error_of_a_missing_directory();
  const Error made = os_error("open", seen.subject, seen.os_code);
  EXPECT_EQ(made, seen);
}

TEST(OsErrorContract, TheSystemsSentenceIsOneLineAndTheStateFollowsIt) {
  const Error error =
      os_error("create", "f", error_of_a_missing_directory().os_code, "nothing was created");
  EXPECT_TRUE(error.detail.ends_with("; nothing was created")) << error.detail;
  EXPECT_GT(error.detail.size(), std::string("; nothing was created").size());
  EXPECT_EQ(error.detail.find_first_of("\r\n"), std::string::npos) << error.detail;
}

TEST(OsErrorContract, ANumberThatNobodyKnowsIsStillTold) {
  const Error error = os_error("open", "f", 123456);
  EXPECT_EQ(error.code, ErrorCode::kOsRefused);
  EXPECT_TRUE(error.cause.ends_with("-123456")) << error.cause;
  EXPECT_NE(error.detail.find("123456"), std::string::npos) << error.detail;
}

TEST(OsErrorContract, ADirectoryInTheWayIsNotEmptyByName) {
  const holdfast::testing::TempDir temp;
  ASSERT_EQ(temp.dir().make_dir("d"_name, 0700), Made::kMade);
  ASSERT_TRUE(temp.dir().open_dir("d"_name).value().create_file("f"_name, 0600));
  const auto removed = temp.dir().remove_dir("d"_name);
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code, ErrorCode::kOsRefused);
  EXPECT_EQ(removed.error().cause, "enotempty");
}

}  // namespace
}  // namespace holdfast::os
