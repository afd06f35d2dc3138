// SPDX-License-Identifier: Apache-2.0
//
// What a failed attempt answers and leaves; becoming a command is shown by
// tests/cli/layers/layers_exec.sh.
#include "os/spawn/exec_command.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holdfast::os
