// SPDX-License-Identifier: Apache-2.0
#include "session/record/control.h"

#include <fcntl.h>
#include <sys/wait.h>

#include "os/stream/pipe.h"
#include "os/watch/poll.h"
#include "session/record/session_dead_fixture.h"
#include "session/record/session_fixture.h"
#include "session/record/watch.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::session {
namespace {

class ControlTest : public SessionFixture {
 protected:
  ControlTest() : dir_(make()), control_(*Control::make(dir_.dir())) {}

  void write_raw(const std::string& bytes) const {
    const int fd = ::open(path("control").c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(::write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ::close(fd);
  }

  SessionDir dir_;
  Control control_;
};

TEST_F(ControlTest, WhatIsAskedArrives) {
  EXPECT_TRUE(control_.read_requests()->requests.empty());
  const SessionRequest stop{.grace = std::chrono::seconds(3), .signal = 2, .by = "pid 1"};
  EXPECT_EQ(*ask(dir_.dir(), stop), Asked::kAsked);
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kAsked);
  EXPECT_TRUE(*os::is_readable(control_.handle()));
  const Requests requests = *control_.read_requests();
  ASSERT_EQ(requests.requests.size(), 2U);
  EXPECT_EQ(requests.requests[0], stop);
  EXPECT_EQ(requests.ignored, 0U);
  EXPECT_FALSE(*os::is_readable(control_.handle()));
}

TEST_F(ControlTest, GarbageIsCountedAndDoesNoHarm) {
  write_raw("\n{}\nstop\n\xff\xff\n" + std::string(9000, 'x') + "\n");
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kAsked);
  write_raw("half a li");
  Requests requests = *control_.read_requests();
  EXPECT_EQ(requests.requests.size(), 1U);
  EXPECT_EQ(requests.ignored, 4U);
  write_raw("ne\n");
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kAsked);
  requests = *control_.read_requests();
  EXPECT_EQ(requests.requests.size(), 1U);
  EXPECT_EQ(requests.ignored, 1U);
}

TEST_F(ControlTest, ALineThatWasCutShortSwallowsNoRequest) {
  write_raw(R"({"v":1,"ask":"st)");
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kAsked);
  const Requests requests = *control_.read_requests();
  EXPECT_EQ(requests.requests.size(), 1U);
  EXPECT_EQ(requests.ignored, 1U);
}

TEST_F(ControlTest, NobodyListensBehindADeadSupervisor) {
  control_ = *Control::make(make("other").dir());
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kNobodyListens);
  ASSERT_TRUE(remove_control(dir_.dir()));
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kNobodyListens);
  ASSERT_TRUE(remove_control(dir_.dir()));
}

TEST_F(ControlTest, OneThatIsFullIsBusyAndIsHeardAllTheSame) {
  std::size_t asked = 0;
  const SessionRequest request{.grace = {}, .signal = {}, .by = std::string(256, 'x')};
  for (;;) {
    const auto done = ask(dir_.dir(), request);
    if (!done) {
      EXPECT_EQ(done.error().code, ErrorCode::kBusy);
      break;
    }
    ++asked;
  }
  std::size_t heard = 0;
  while (*os::is_readable(control_.handle())) heard += control_.read_requests()->requests.size();
  EXPECT_EQ(heard, asked);
}

// No time is asserted: what must wake is waited for without a limit, and hangs where it does not.
using std::chrono::milliseconds;

class WatchTest : public SessionFixture {
 protected:
  WatchTest() : dir_(make()) {}

  // Does it sleep out its limit? A busy machine makes the wait longer, never shorter.
  static bool sleeps(Watch& watch) {
    const auto before = std::chrono::steady_clock::now();
    EXPECT_TRUE(watch.wait(milliseconds(20)));
    return std::chrono::steady_clock::now() - before >= milliseconds(20);
  }

  SessionDir dir_;
};

TEST_F(WatchTest, WakesForTheRecordAndTheLog) {
  Watch watch = Watch::open(dir_);
  EXPECT_TRUE(sleeps(watch));
  const SessionRecord record = session_in(SessionState::kRunning, own_identity());
  ASSERT_TRUE(dir_.write(record, os::Durability::kNone));
  EXPECT_TRUE(watch.wait(std::nullopt));
  watch.follow(record);
  EXPECT_EQ(watch.polls(), "");
  put("out.log", "x");
  EXPECT_TRUE(watch.wait(std::nullopt));
}

TEST_F(WatchTest, WakesForTheEndOfTheSupervisorAndThenOfTheCommand) {
  testing::WaitingChild supervisor;
  testing::WaitingChild command;
  SessionRecord record = session_in(SessionState::kRunning, identity_of(supervisor.pid()));
  record.command = identity_of(command.pid());
  Watch watch = Watch::open(dir_);
  watch.follow(record);
  EXPECT_TRUE(sleeps(watch));
  supervisor.kill();
  EXPECT_TRUE(watch.wait(std::nullopt));
  watch.follow(record);
  EXPECT_TRUE(sleeps(watch));
  command.kill();
  EXPECT_TRUE(watch.wait(std::nullopt));
  watch.follow(record);
  EXPECT_EQ(watch.polls(), "no-handle") << "who is left is known by the run id alone";
  EXPECT_TRUE(sleeps(watch));
}

TEST_F(WatchTest, WakesForWhatElseIsWaitedFor) {
  const os::Pipe pipe = *os::make_pipe();
  Watch watch = Watch::open(dir_);
  ASSERT_EQ(::write(static_cast<int>(pipe.write_end.get()), "x", 1), 1);
  const std::array<const os::Handle*, 1> also{&pipe.read_end};
  EXPECT_TRUE(watch.wait(std::nullopt, also));
}

TEST_F(WatchTest, WithoutWatchesOrKnowledgeItLooksAgainAndSaysWhy) {
  {
    const testing::MissingCalls missing{{"inotify_init", EMFILE}};
    testing::OldKernel kernel(missing);
    const testing::ScopedCallHook hook(kernel);
    Watch watch = Watch::open(dir_);
    EXPECT_EQ(watch.polls(), "emfile");
    EXPECT_TRUE(watch.wait(std::nullopt));  // comes back by itself
  }
  ProcessIdentity elsewhere = own_identity();
  elsewhere.pidns = 0;  // not told, so nobody can look for it
  Watch watch = Watch::open(dir_);
  watch.follow(session_in(SessionState::kRunning, elsewhere));
  EXPECT_EQ(watch.polls(), "other-pid-namespace");
  EXPECT_TRUE(watch.wait(std::nullopt));
  watch.follow(session_in(SessionState::kExited, elsewhere));
  EXPECT_EQ(watch.polls(), "");
}

}  // namespace
}  // namespace holdfast::session
