// SPDX-License-Identifier: Apache-2.0
//
// Becoming a command is shown by tests/cli/flock/flock_command.sh; here, what a failed attempt answers.
#include "os/spawn/exec_unchanged.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(ExecUnchanged, AFailureNamesTheCommandAndTheReason) {
  EXPECT_EQ(exec_unchanged({"no-such-command-at-all"}).cause, "enoent");
  EXPECT_EQ(exec_unchanged({"no-such-command-at-all"}).subject, "no-such-command-at-all");
  EXPECT_EQ(exec_unchanged({""}).cause, "enoent");
  const testing::TempDir temp;
  EXPECT_EQ(exec_unchanged({temp.path()}).cause, "eacces");
}

TEST(ExecUnchanged, PermissionDeniedOutweighsNotFoundAlongThePath) {
  const testing::TempDir temp;
  ASSERT_EQ(::mkdir(temp.path("tool").c_str(), 0700), 0);  // found, and not to be run
  const char* before = ::getenv("PATH");
  const std::string kept(before == nullptr ? "" : before);
  ASSERT_EQ(::setenv("PATH", (temp.path() + ":/no-such-directory").c_str(), 1), 0);
  EXPECT_EQ(exec_unchanged({"tool"}).cause, "eacces");
  ASSERT_EQ(::setenv("PATH", kept.c_str(), 1), 0);
}

}  // namespace
}  // namespace holdfast::os
