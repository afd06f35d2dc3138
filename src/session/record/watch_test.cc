// SPDX-License-Identifier: Apache-2.0
//
// No time is asserted: what must wake is waited for without a limit, and hangs where it does not.
#include "session/record/watch.h"

#include <sys/wait.h>

#include "os/stream/pipe.h"
#include "session/record/session_dead_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::session {
namespace {

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
