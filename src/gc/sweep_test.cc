// SPDX-License-Identifier: Apache-2.0
#include "gc/sweep.h"

#include <algorithm>

#include "gc/gc_fixture.h"
#include "gc/purge.h"
#include "gc/restore.h"
#include "os/lock/dir_lock.h"
#include "session/record/session_dead_fixture.h"

namespace holdfast::gc {
namespace {

class Sweep : public GcFixture {
 protected:
  void SetUp() override { fresh(); }
};

TEST_F(Sweep, NothingGoesThatTheJournalDoesNotTake) {
  publish(ended("over"));
  events_.refuse = true;
  const auto done = clean();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().cause, "journal-busy");
  EXPECT_TRUE(there("sessions/over/harness.json"));
}

TEST_F(Sweep, TheWholeListIsInTheJournalBeforeTheFirstGoes) {
  for (int i = 0; i < 1500; ++i)
    publish(ended("a-session-with-a-longer-name-" + std::to_string(i)));
  ASSERT_TRUE(clean());
  EXPECT_EQ(report_.removed.size(), 1500U);
  const auto first = std::ranges::find(events_.types, "gc.removed");
  EXPECT_EQ(std::find(first, events_.types.end(), "gc.planned"), events_.types.end());
  EXPECT_GT(std::ranges::count(events_.types, "gc.planned"), 1);
}

TEST_F(Sweep, ThousandsAreRemovedAtOnceByTwoThreads) {
  for (int i = 0; i < 600; ++i) {
    publish(ended("s-" + std::to_string(i)));
    put("sessions/s-" + std::to_string(i) + "/file");
  }
  WorkspaceRecord live = ended("live");
  live.attached.push_back({.process = session::own_identity()});
  publish(live);
  ASSERT_TRUE(clean({.trash_for = Duration::zero()}));
  EXPECT_EQ(report_.removed.size(), 600U);
  EXPECT_EQ(report_.purged, 600U);
  EXPECT_EQ(reason(report_.kept, "live"), "attached");
  EXPECT_TRUE(std::filesystem::is_empty(at("sessions/.holdfast-trash")));
}

TEST_F(Sweep, AProcessThatVouchesIsJudgedByItsIdentityAndTheBrakeDoesNotCountIt) {
  WorkspaceRecord dead = record("dead");
  dead.authority = Authority{.kind = AuthorityKind::kProcess, .id = "1"};
  dead.authority->process = session::identity_of_the_dead();
  publish(dead);
  WorkspaceRecord live = record("live");
  live.authority = Authority{.kind = AuthorityKind::kProcess, .id = "2"};
  live.authority->process = session::own_identity();
  publish(live);
  WorkspaceRecord foreign = record("foreign");
  foreign.authority = live.authority;
  foreign.authority->process->machine.bytes.fill(9);
  foreign.authority->process->boot.bytes.fill(9);
  publish(foreign);
  ASSERT_TRUE(clean());
  EXPECT_EQ(report_.removed.size(), 1U);
  EXPECT_EQ(report_.removed[0].name, "dead");
  EXPECT_EQ(reason(report_.kept, "live"), "running");
  EXPECT_NE(reason(report_.unknown, "foreign"), "");
  EXPECT_EQ(report_.skipped.size(), 1U);
  EXPECT_TRUE(report_.braked.empty());
}

TEST_F(Sweep, AnAttachmentThatCannotBeJudgedKeeps) {
  WorkspaceRecord over = ended("over");
  ProcessIdentity elsewhere = session::own_identity();
  elsewhere.boot.bytes.fill(9);
  elsewhere.machine.bytes.fill(9);
  over.attached.push_back({.process = elsewhere});
  publish(over);
  ASSERT_TRUE(clean());
  EXPECT_EQ(reason(report_.kept, "over"), "attached");
}

TEST_F(Sweep, AgesOfAnEarlierBootCountFromThisOne) {
  WorkspaceRecord over = ended("over");
  over.born.boot.bytes.fill(9);
  over.born.boot_ns = std::numeric_limits<std::int64_t>::max();
  publish(over);
  WorkspaceRecord future = ended("future");  // of this boot, and later than now: it is young
  future.born.boot_ns += std::chrono::nanoseconds(std::chrono::hours(1)).count();
  publish(future);
  Options options;
  options.max_age = std::chrono::milliseconds(1);
  ASSERT_TRUE(clean(options));
  EXPECT_EQ(reason(report_.removed, "over"), "ended");
  EXPECT_EQ(reason(report_.kept, "future"), "not-old-enough");
}

TEST_F(Sweep, WhatWasNeverMadeGoesWithItsStageAndNothingElse) {
  WorkspaceRecord reserved = record("reserved");
  reserved.state = WorkspaceState::kReserved;
  const std::string stage = session::workspace_stage_name(reserved.id).str();
  outside(reserved, stage);
  reserved.directory = at("place");
  std::filesystem::create_directories(at("place"));  // somebody else's
  publish(reserved);
  ASSERT_TRUE(clean({.trash_for = Duration::zero()}));
  EXPECT_EQ(reason(report_.removed, "reserved"), "never-made");
  EXPECT_FALSE(there(stage));
  EXPECT_TRUE(there("place"));
}

TEST_F(Sweep, AStageWithoutItsMakerGoesAndOneThatIsLockedStays) {
  for (const char* name : {".hf-stage-00000000000000000000000000000001",
                           ".hf-stage-00000000000000000000000000000002"}) {
    std::filesystem::create_directories(at("sessions/" + std::string(name)));
    put("sessions/" + std::string(name) + "/harness.lock");
    std::filesystem::permissions(
        at("sessions/" + std::string(name) + "/harness.lock"),
        std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  const os::Dir held = *os::Dir::open(at("sessions/.hf-stage-00000000000000000000000000000002"));
  auto lock = held.open_file(os::NameLiteral("harness.lock"), os::Access::kReadWrite);
  ASSERT_TRUE(*os::try_lock_file(**lock));
  ASSERT_TRUE(clean());
  EXPECT_FALSE(there("sessions/.hf-stage-00000000000000000000000000000001"));
  EXPECT_TRUE(there("sessions/.hf-stage-00000000000000000000000000000002"));
}

TEST_F(Sweep, AFlagStopsItBetweenEntries) {
  publish(ended("over"));
  stop_.raise();
  EXPECT_FALSE(clean());
  EXPECT_TRUE(there("sessions/over"));
}

}  // namespace
}  // namespace holdfast::gc
