// SPDX-License-Identifier: Apache-2.0
#include "os/process/process_mark.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace holdfast::os {
namespace {

TEST(ProcessMark, StaysInAProcessAndChangesWithAFork) {
  const std::int64_t mine = process_mark();
  EXPECT_EQ(mine, process_mark());
  const pid_t child = ::fork();
  if (child == 0) ::_exit(process_mark() != mine && process_mark() == process_mark() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the child kept its parent's mark";
}

}  // namespace
}  // namespace holdfast::os
