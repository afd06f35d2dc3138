// SPDX-License-Identifier: Apache-2.0
//
// What a failed attempt answers and leaves; becoming a command is shown by
// tests/cli/layers/layers_exec.sh.
#include "os/spawn/exec.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using ExecCommandKind = StartFailure::Kind;

TEST(ExecCommand, NotFoundIsToldFromNotExecutable) {
  const auto missing = exec_command({"no-such-command-at-all"}, {});
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->kind, ExecCommandKind::kNotFound);
  const testing::TempDir temp;
  const auto directory = exec_command({temp.path()}, {});
  ASSERT_TRUE(directory);
  EXPECT_EQ(directory->kind, ExecCommandKind::kNotExecutable);
  EXPECT_EQ(directory->os_code, EACCES);
}

TEST(ExecCommand, AFailedAttemptLeavesTheSignalsAsTheyWere) {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before{};
  ASSERT_EQ(::sigaction(SIGPIPE, &ignore, &before), 0);
  ASSERT_TRUE(exec_command({"no-such-command-at-all"}, {"A=B"}));
  struct sigaction after{};
  ASSERT_EQ(::sigaction(SIGPIPE, &before, &after), 0);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
}

TEST(ExecCommand, ANulByteIsRefusedAndNotCutOff) {
  const std::string word("a\0b", 3);
  const auto in_argv = exec_command({"true", word}, {});
  ASSERT_FALSE(in_argv);
  EXPECT_EQ(in_argv.error().cause, "unsafe-name");
  EXPECT_FALSE(exec_command({"true"}, {"A=" + word}));
}

// Becoming a command is shown by tests/cli/flock/flock_command.sh; here, what a failed attempt answers.

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
