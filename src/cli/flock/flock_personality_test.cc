// SPDX-License-Identifier: Apache-2.0
//
// Under the name of flock the program is flock, and nothing else.
#include <gtest/gtest.h>

#include "cli/frame/frame.h"
#include "cli/frame/personality.h"
#include "cli/frame/test_console.h"
#include "cli/frame/test_table.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

int flock(TestConsole& console, const std::string& word) {
  const os::RealClock clock;
  return run_frame(console, clock, {test_table(), personalities()}, {"flock", word});
}

TEST(FlockPersonality, FlockNeverBecomesPlainHoldfast) {
  TestConsole version;
  flock(version, "--version");
  EXPECT_TRUE(version.out.starts_with("flock from ")) << version.out;
  TestConsole command;
  EXPECT_EQ(flock(command, "journal"), 64);
  EXPECT_EQ(command.err.find("holdfast"), std::string::npos) << command.err;
}

}  // namespace
}  // namespace holdfast::cli
