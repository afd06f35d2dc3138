// SPDX-License-Identifier: Apache-2.0
//
// Whole trees, on every platform: what becomes of them, and that nothing is left.
#include "supervise/run.h"

#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "supervise/verdict.h"
#include "testing/programs.h"

namespace holdfast::supervise {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::test_child;

RunReport run(std::vector<std::string> argv, std::optional<Duration> timeout = {}) {
  auto report = run_foreground(os::RealClock(), {.argv = std::move(argv),
                                                 .timeout = timeout,
                                                 .grace = milliseconds(100),
                                                 .stdout_to = os::StdoutTo::kStderr});
  EXPECT_TRUE(report);
  return report ? *report : RunReport{};
}

TEST(RunContract, TheExitCodeOfTheCommandIsTheAnswer) {
  for (const int code : {0, 3, 255}) {
    const RunReport report = run(test_child({"exit", std::to_string(code)}));
    EXPECT_TRUE(report.empty);
    EXPECT_FALSE(report.fault);
    EXPECT_EQ(judge(report).code, code);
    EXPECT_EQ(judge(report).by, By::kCommand);
  }
}

TEST(RunContract, WhatCannotStartIs127Or126) {
  const RunReport report = run({"no-such-command-anywhere"});
  EXPECT_EQ(judge(report).code, 127);
  EXPECT_EQ(judge(report).reason, "not-found");
}

TEST(RunContract, AtTheDeadlineTheWholeTreeIsEnded) {
  for (const char* kind : {"child", "setsid-child", "daemon"}) {
    for (const char* last : {"sleep-forever", "ignore-term"}) {
      const RunReport report = run(test_child({"stay", kind, last}), milliseconds(1500));
      EXPECT_TRUE(report.deadline_fired) << kind;
      EXPECT_TRUE(report.empty) << kind << " " << last;
      EXPECT_EQ(judge(report).code, 124) << kind;
    }
  }
}

TEST(RunContract, WhatACommandLeavesBehindIsEndedAndTheCodeIsItsOwn) {
  for (const char* kind : {"child", "setsid-child", "daemon"}) {
    const RunReport report = run(test_child({kind, "ignore-term"}), seconds(60));
    EXPECT_FALSE(report.deadline_fired) << kind;
    EXPECT_TRUE(report.empty) << kind;
    EXPECT_EQ(judge(report).code, 0) << kind;
  }
}

TEST(RunContract, AChainOfProcessesThatStartEachOtherIsEnded) {
  const RunReport report = run(test_child({"fork-chain", "2"}), milliseconds(1500));
  EXPECT_TRUE(report.empty);
  EXPECT_EQ(judge(report).code, 124);
}

TEST(RunContract, OneThatIsKilledFromOutsideIsSaidToBe) {
  const RunReport report = run(test_child({"die", "9"}));
  EXPECT_EQ(judge(report).signal, 9);
  EXPECT_EQ(judge(report).code, 137);
}

}  // namespace
}  // namespace holdfast::supervise
