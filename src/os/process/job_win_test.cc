// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "os/process/job.h"
#include "os/process/pidfd.h"
#include "os/spawn/child_win.h"
#include "os/spawn/spawn.h"
#include "os/stream/pipe.h"
#include "os/watch/poll.h"
#include "testing/programs.h"

namespace holdfast::os {
namespace {

using std::chrono::seconds;
using testing::test_child;

// Starts it, with its output in a pipe, and waits for its `ready PID`.
class JobTest : public ::testing::Test {
 protected:
  Pid start(SpawnRequest request) {
    out_ = make_pipe().value();
    request.stdin_from = StdinFrom::kNothing;
    request.stdout_to = StdoutTo::kHandle;
    request.output = out_.write_end.get();
    spawned_.emplace(spawn(request).value());
    out_.write_end.reset();
    EXPECT_TRUE(spawned_->release());
    std::string line;
    std::array<char, 1> byte{};
    while (read_pipe(out_.read_end, byte).value() == 1 && byte[0] != '\n') line += byte[0];
    EXPECT_TRUE(line.starts_with("ready ")) << line;
    return Pid{std::atoi(line.c_str() + 6)};
  }
  Pipe out_;
  std::optional<Spawned> spawned_;
};

TEST_F(JobTest, ATreeIsCountedAndEndedInOneBlow) {
  const Job job = Job::make({}).value();
  EXPECT_EQ(job.active().value(), 0U);
  start({.argv = test_child({"stay", "daemon", "ignore-term"}), .cgroup = job.handle()});
  const Pid root = spawned_->child().pid;
  EXPECT_EQ(job.active().value(), 2U);
  const auto members = job.members().value();
  EXPECT_EQ(members.size(), 2U);
  EXPECT_NE(std::ranges::find(members, root), members.end());
  ASSERT_TRUE(job.kill());
  const ChildEnd end = reap_child(root).value();
  EXPECT_EQ(end.how, ChildEnd::How::kSignalled);
  EXPECT_EQ(end.value, kSignalKill);
  while (job.active().value() != 0) {
    ASSERT_TRUE(wait_readable({&job.changes()}, seconds(20)).value()) << "nobody told of the end";
    job.take_changes();
  }
}

// What a killed supervisor leaves: nothing. The blow hits the one that holds the job, alone.
TEST_F(JobTest, WhenTheHolderOfAJobIsKilledTheSystemEndsEverybodyInIt) {
  const Pid inner = start({.argv = test_child({"in-job", "ignore-term"})});
  ASSERT_NE(inner, spawned_->child().pid);
  auto pinned = open_pidfd(inner).value();
  ASSERT_TRUE(pinned);
  EXPECT_FALSE(has_ended(*pinned).value());
  ASSERT_EQ(spawned_->child().signal(kSignalKill).value(), Sent::kSent);
  EXPECT_TRUE(wait_readable({&*pinned}, seconds(20)).value()) << "it outlived its supervisor";
  ASSERT_TRUE(reap_child(spawned_->child().pid));
}

TEST(EndCode, WhatTheSystemSaysOfAnEndIsToldInOurWords) {
  using How = ChildEnd::How;
  struct Case {
    DWORD code;
    How how;
    int value;
  };
  for (const Case& one :
       {Case{0, How::kExited, 0}, Case{255, How::kExited, 255}, Case{256, How::kExited, 255},
        Case{0x80000000U, How::kExited, 255}, Case{0xC0000005U, How::kSignalled, 11},
        Case{0xC000013AU, How::kSignalled, 2}, Case{killed_code(9), How::kSignalled, 9}}) {
    const ChildEnd end = end_of_code(Pid{7}, one.code);
    EXPECT_EQ(end.how, one.how) << one.code;
    EXPECT_EQ(end.value, one.value) << one.code;
  }
}

}  // namespace
}  // namespace holdfast::os
