// SPDX-License-Identifier: Apache-2.0
#include "supervise/report_bytes.h"

#include <gtest/gtest.h>

namespace holdfast::supervise {
namespace {

TreeReport full() {
  TreeReport report;
  report.started = WallTime(std::chrono::seconds(5));
  report.ended = WallTime(std::chrono::seconds(6));
  report.containment = Containment::kSubreaperByNumber;
  report.commands.resize(kMaxCommands);
  report.commands[0].pid = os::Pid{42};
  report.commands[0].start_failure = os::StartFailure{os::StartFailure::Kind::kNotExecutable, 13};
  report.commands.back().end = os::ChildEnd{os::Pid{43}, os::ChildEnd::How::kSignalled, 15};
  report.output_cut = true;
  report.deadline_fired = true;
  report.terminated = 3;
  report.killed = 2;
  report.survivors = {{os::Pid{7}, "a"}, {os::Pid{8}, "a name of many characters"}};
  report.fault = Error{ErrorCode::kIo, "op", "subject", "cause", std::string(1000, 'd'), 5};
  return report;
}

TEST(ReportBytes, ComeBackAsTheyWent) {
  const auto back = from_bytes(to_bytes(full()));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->started, full().started);
  EXPECT_EQ(back->ended, full().ended);
  EXPECT_EQ(back->containment, Containment::kSubreaperByNumber);
  ASSERT_EQ(back->commands.size(), kMaxCommands);
  EXPECT_EQ(back->commands[0].pid, os::Pid{42});
  EXPECT_EQ(back->commands[0].start_failure->os_code, 13);
  EXPECT_FALSE(back->commands[0].end);
  EXPECT_EQ(back->commands.back().end->value, 15);
  EXPECT_TRUE(back->output_cut);
  EXPECT_TRUE(back->deadline_fired);
  EXPECT_FALSE(back->empty);
  EXPECT_EQ(back->killed, 2U);
  ASSERT_EQ(back->survivors.size(), 2U);
  EXPECT_EQ(back->survivors[1].name, "a name of many c");
  EXPECT_EQ(back->fault->cause, "cause");
  EXPECT_EQ(back->fault->detail.size(), 256U);
}

TEST(ReportBytes, CutAnywhereAreNoReport) {
  const std::string bytes = to_bytes(full());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(from_bytes(std::string_view(bytes).substr(0, size)));
  }
  EXPECT_FALSE(from_bytes(bytes + "x"));
}

TEST(ReportBytes, MoreSurvivorsThanFitAreCutNotLostAltogether) {
  TreeReport report;
  report.survivors.resize(1000);
  const auto back = from_bytes(to_bytes(report));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->survivors.size(), kMaxSurvivors);
}

}  // namespace
}  // namespace holdfast::supervise
