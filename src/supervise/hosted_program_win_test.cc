// SPDX-License-Identifier: Apache-2.0
//
// The other start is this very test program, led to one test that does the supervisor's work.
#include "supervise/hosted_program.h"

#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "os/path/safe_name.h"
#include "os/process/pidfd.h"
#include "os/stream/pipe.h"
#include "testing/platform.h"
#include "testing/temp_dir.h"

namespace holdfast::supervise {
namespace {

// The order is a directory: the work says that it runs, and goes on until the file `go` is there.
TreeReport work_in(const std::string& directory, const os::Handle& news) {
  TreeReport report;
  const char runs = kNewsRuns;
  if (!directory.empty() && os::write_some(news, {&runs, 1})) {
    const os::Dir dir = os::Dir::open(directory).value();
    const auto go = os::SafeName::make("go").value();
    for (int i = 0; i < 6000 && !dir.info(go).value(); ++i)
      os::pause(std::chrono::milliseconds(10));
    const auto seen = dir.create_file(os::SafeName::make("seen").value(), 0600);
    static_cast<void>(seen);
  }
  report.terminated = static_cast<std::uint32_t>(directory.size());
  report.empty = true;
  return report;
}

TEST(HostedProgram, InTheOtherStart) {
  auto found = hosted();
  ASSERT_TRUE(found) << found.error().detail;
  if (!*found) GTEST_SKIP() << "this is not the other start";
  const std::string order = (*found)->order;
  be_hosted(os::RealClock(), std::move(**found),
            [&](const os::SignalState&, os::Handle news) { return work_in(order, news); });
}

Result<Supervised> start(Await await, const std::string& order) {
  const HostedProgram program{.argv = {"--gtest_filter=HostedProgram.InTheOtherStart"},
                              .order = order,
                              .in_background = true};
  return run_hosted(os::RealClock(), await,
                    [&](const os::SignalState& signals, SupervisorPipes& pipes) {
                      return host_program(program, signals, pipes);
                    });
}

TEST(HostedProgram, WhatTheOtherStartReportsArrives) {
  const auto supervised = start(Await::kReport, "");
  ASSERT_TRUE(supervised) << supervised.error().detail;
  ASSERT_TRUE(supervised->report);
  EXPECT_FALSE(supervised->report->supervisor_gone);
  EXPECT_TRUE(supervised->report->empty);
  EXPECT_NE(supervised->supervisor, os::own_pid());
}

TEST(HostedProgram, TheCallerGoesOnWithTheNewsAndTheOtherToItsEnd) {
  const testing::TempDir tmp;
  const auto supervised = start(Await::kNews, tmp.path());
  ASSERT_TRUE(supervised) << supervised.error().detail;
  EXPECT_FALSE(supervised->report) << "it cannot be over: nobody has let it go on";
  EXPECT_FALSE(tmp.dir().info(os::SafeName::make("seen").value()).value());
  ASSERT_TRUE(tmp.dir().create_file(os::SafeName::make("go").value(), 0600).value());
  const auto end = os::reap_child(supervised->supervisor);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->how, os::ChildEnd::How::kExited);
  EXPECT_EQ(end->value, kNoReport) << "nobody reads it any more, and the work is done all the same";
  EXPECT_TRUE(tmp.dir().info(os::SafeName::make("seen").value()).value());
}

TEST(HostedProgram, ANoteOfSomebodyElsesIsRefusedAndTakenAway) {
  for (const char* note : {"", "1,2", "4,8,12,", "x,y,z", "0,1,2", "99999,99998,99997"}) {
    const testing::ScopedEnv somebodys("HOLDFAST_SUPERVISE", note);
    const auto found = hosted();
    EXPECT_FALSE(found) << note;
    const auto again = hosted();
    ASSERT_TRUE(again);
    EXPECT_FALSE(*again);
  }
}

}  // namespace
}  // namespace holdfast::supervise
