// SPDX-License-Identifier: Apache-2.0
#include "session/record/view.h"

#include <sys/stat.h>

#include "os/machine/namespaces.h"
#include "session/record/session_dead_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::session {
namespace {

using enum SessionState;

class View : public SessionFixture {};

TEST_F(View, AFinalRecordIsItsOwnTruth) {
  for (const SessionState state : {kExited, kFailed, kTimedOut, kKilled, kUnverified, kLost}) {
    const SessionView view = look_at(session_in(state, own_identity()));
    EXPECT_EQ(view.state, state);
    EXPECT_TRUE(view.known);
  }
}

TEST_F(View, ALiveSupervisorIsBelieved) {
  for (const SessionState state : {kReserved, kStarting, kRunning, kStopping, kVerifying}) {
    const SessionView view = look_at(session_in(state, own_identity()));
    EXPECT_EQ(view.state, state);
    EXPECT_TRUE(view.known);
    EXPECT_EQ(view.evidence, "supervisor-live");
  }
  EXPECT_FALSE(look_at(session_in(kOrphaned, own_identity())).known);
}

TEST_F(View, NothingRanBehindASupervisorThatDiedBeforeTheGate) {
  const ProcessIdentity dead = identity_of_the_dead();
  for (const SessionState state : {kReserved, kStarting}) {
    const SessionView view = look_at(session_in(state, dead));
    EXPECT_EQ(view.state, kFailed);
    EXPECT_TRUE(view.known);
  }
}

TEST_F(View, ADeadSupervisorLeavesAnOrphanAndNeverMore) {
  const ProcessIdentity dead = identity_of_the_dead();
  const testing::WaitingChild command;
  for (const SessionState state : {kStarting, kRunning, kStopping, kVerifying, kOrphaned}) {
    SessionRecord record = session_in(state, dead);
    record.command = identity_of(command.pid());
    SessionView view = look_at(record);
    EXPECT_EQ(view.state, kOrphaned) << to_text(state);
    EXPECT_EQ(view.tree, Tree::kLives);
    // The first process is gone; that says nothing of the others.
    record.command = dead;
    view = look_at(record);
    EXPECT_EQ(view.state, kOrphaned) << to_text(state);
    EXPECT_EQ(view.tree, Tree::kUnproven);
  }
}

TEST_F(View, AZombieSupervisorIsDead) {
  testing::WaitingChild child;
  SessionRecord record = session_in(kRunning, identity_of(child.pid()));
  child.kill();
  child.wait_for_end();
  EXPECT_EQ(look_at(record).state, kOrphaned);
}

TEST_F(View, ARecycledNumberIsNotTheSupervisor) {
  const testing::WaitingChild other;
  ProcessIdentity old = identity_of(other.pid());
  old.start -= 1;
  old.pidfs = 0;
  const SessionView view = look_at(session_in(kRunning, old));
  EXPECT_EQ(view.state, kOrphaned);
  EXPECT_EQ(view.evidence, "recycled");
}

TEST_F(View, AnotherBootOfThisMachineIsLost) {
  ProcessIdentity before = own_identity();
  before.boot = session_test_id(0x77);
  if (before.pidns != os::kInitialPidNamespace || before.machine == Id128{}) {
    GTEST_SKIP() << "a machine id names this machine only outside containers";
  }
  EXPECT_EQ(look_at(session_in(kRunning, before)).state, kLost);
  EXPECT_EQ(look_at(session_in(kOrphaned, before)).state, kLost);
  EXPECT_EQ(look_at(session_in(kRunning, before)).evidence, "other-boot");
  EXPECT_EQ(look_at(session_in(kReserved, before)).state, kLost) << "the disk may say less";
}

TEST_F(View, ARunThatDiedWithItsContainerIsLost) {
  ProcessIdentity gone = own_identity();
  if (gone.pidns != os::kInitialPidNamespace) GTEST_SKIP() << "it cannot be seen from here";
  gone.pidns = 1;  // no namespace has such a number
  const testing::WaitingChild here;
  SessionRecord record = session_in(kRunning, gone);
  record.command = identity_of(here.pid());
  EXPECT_EQ(look_at(record).tree, Tree::kLives);
  record.command = gone;
  const SessionView view = look_at(record);
  EXPECT_EQ(view.state, kLost);
  EXPECT_EQ(view.evidence, "namespace-gone");
}

TEST_F(View, AnotherHostOrNamespaceCannotBeTold) {
  ProcessIdentity elsewhere = own_identity();
  elsewhere.pidns = 0;  // not told, so nobody can look for it
  SessionView view = look_at(session_in(kRunning, elsewhere));
  EXPECT_FALSE(view.known);
  EXPECT_EQ(view.state, kRunning);
  EXPECT_EQ(view.evidence, "other-pid-namespace");
  elsewhere.boot = session_test_id(0x77);
  elsewhere.machine = session_test_id(0x78);
  view = look_at(session_in(kReserved, elsewhere));
  EXPECT_FALSE(view.known);
  EXPECT_EQ(view.state, kReserved);
}

TEST_F(View, ProcessOneInARecordIsJudgedLikeAnyOther) {
  ProcessIdentity forged = own_identity();
  forged.pid = 1;
  const SessionView view = look_at(session_in(kRunning, forged));
  EXPECT_EQ(view.state, kOrphaned);  // process 1 lives, and did not start when we did
}

TEST_F(View, AForgedCgroupProvesNothing) {
  SessionRecord record = session_in(kRunning, identity_of_the_dead());
  record.cgroup = SessionCgroup{.path = "/tmp", .id = 1};
  EXPECT_EQ(look_at(record).state, kOrphaned);
  record.cgroup = SessionCgroup{.path = "/sys/fs/cgroup/not-of-this-run", .id = 1};
  EXPECT_EQ(look_at(record).state, kOrphaned);
}

// At the moment of the judgement: the supervisor has written its last record since it was read.
class LastWord final : public testing::CallHook {
 public:
  LastWord(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name == "pidfd_open" && std::filesystem::exists(from_)) {
      std::filesystem::rename(from_, to_);
    }
    return {};
  }

 private:
  std::string from_;
  std::string to_;
};

TEST_F(View, ASupervisorsLastWordIsHeardThoughItDiedMeanwhile) {
  const SessionDir dir = make();
  SessionRecord record = session_in(kRunning, identity_of_the_dead());
  ASSERT_TRUE(dir.write(record, os::Durability::kNone));
  EXPECT_EQ((*look(dir))->state, kOrphaned);

  record.state = kExited;
  put("last-word", encode_session_record(record));
  ASSERT_EQ(::chmod(path("last-word").c_str(), 0600), 0);
  LastWord last_word(path("last-word"), path("session.json"));
  const testing::ScopedCallHook hook(last_word);
  EXPECT_EQ((*look(dir))->state, kExited);
}

TEST_F(View, WithoutARecordThereIsNothingToSee) { EXPECT_FALSE(look(make())->has_value()); }

}  // namespace
}  // namespace holdfast::session
