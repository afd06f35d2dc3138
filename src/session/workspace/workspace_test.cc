// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/workspace.h"

#include <filesystem>
#include <thread>

#include "format/session/session_test_values.h"
#include "os/machine/random.h"
#include "os/machine/real_clock.h"
#include "session/record/session_dead_fixture.h"
#include "session/workspace/workspace_attach.h"
#include "session/workspace/workspace_new_fixture.h"

namespace holdfast::session {
namespace {

using os::operator""_name;

class Workspace : public SessionFixture {
 protected:
  // What is in the directory of the workspace, as somebody else would have put it there.
  void put(const char* name, const std::string& bytes) {
    const auto dir = make();
    static_cast<void>(dir.dir().remove_file(*os::SafeName::make(name)));
    auto file = dir.dir().create_file(*os::SafeName::make(name), 0600);
    ASSERT_TRUE(file && *file);
    ASSERT_TRUE((*file)->write_all(bytes));
  }
  void put_record() { put("harness.json", encode_workspace_record(small_workspace())); }
  Result<std::optional<WorkspaceHold>> take(Duration wait = Duration::zero()) {
    return WorkspaceHold::take(store_, "fix-160", wait);
  }
};

TEST_F(Workspace, NoDirectoryAndNoWorkspaceAreNothing) {
  EXPECT_FALSE(read_workspace(store_, "fix-160").value());
  EXPECT_FALSE(take().value());
  static_cast<void>(make());
  EXPECT_FALSE(read_workspace(store_, "fix-160").value());
  EXPECT_FALSE(take().value());
  EXPECT_FALSE(std::filesystem::exists(path("harness.lock")));
}

TEST_F(Workspace, AChangeIsReadBackAndCounted) {
  put_record();
  auto hold = take();
  ASSERT_TRUE(hold && *hold);
  WorkspaceRecord record = (*hold)->record();
  record.resume_id = "5b1c";
  ASSERT_TRUE((*hold)->write(record, os::Durability::kFull));
  record.change += 1;
  EXPECT_TRUE((*hold)->record() == record);
  EXPECT_TRUE(read_workspace(store_, "fix-160").value() == record);
}

TEST_F(Workspace, OnlyOneHoldsIt) {
  put_record();
  auto first = take();
  ASSERT_TRUE(first && *first);
  const auto second = take();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_EQ(second.error().cause, "workspace-busy");
  first->reset();
  EXPECT_TRUE(take().value());
}

TEST_F(Workspace, WhoeverWaitedForOneThatWasMovedAwayFindsNothing) {
  put_record();
  auto gc = take();
  ASSERT_TRUE(gc && *gc);
  std::optional<bool> found;
  std::thread waiter([&] {
    const auto hold = take(std::chrono::minutes(1));
    ASSERT_TRUE(hold);
    found = hold->has_value();
  });
  // Whenever the waiter looks, before or after, it must not get what lies in the trash.
  os::pause(std::chrono::milliseconds(20));
  ASSERT_EQ(store_.dir().rename_new("fix-160"_name, "gone"_name).value(), os::Placed::kPlaced);
  gc->reset();
  waiter.join();
  EXPECT_EQ(found, false);
}

TEST_F(Workspace, WhoeverWaitedForOneThatWasReplacedGetsTheNewOne) {
  put_record();
  auto gc = take();
  ASSERT_TRUE(gc && *gc);
  std::optional<Id128> found;
  std::thread waiter([&] {
    const auto hold = take(std::chrono::minutes(1));
    ASSERT_TRUE(hold && *hold);
    found = (*hold)->record().id;
  });
  os::pause(std::chrono::milliseconds(20));
  WorkspaceRecord newer = small_workspace();
  newer.id = *parse_id128("ff112233445566778899aabbccddeeff");
  const auto stage = store_.find_or_make("stage");
  auto file = stage->dir().create_file("harness.json"_name, 0600);
  ASSERT_TRUE((*file)->write_all(encode_workspace_record(newer)));
  // At once: whoever comes in between would find none, and be right.
  ASSERT_EQ(store_.dir().exchange("stage"_name, "fix-160"_name).value(), os::Exchanged::kExchanged);
  gc->reset();
  waiter.join();
  EXPECT_EQ(found, newer.id);
}

TEST_F(Workspace, ARunThatWaitedForOneThatWasRemovedBeginsInANewOne) {
  put_record();
  auto gc = take();
  ASSERT_TRUE(gc && *gc);
  std::optional<Result<RunPlace>> place;
  std::thread runner([&] { place.emplace(enter_for_run(store_, "fix-160")); });
  os::pause(std::chrono::milliseconds(20));  // so that it waits; whoever comes later is right, too
  std::filesystem::remove_all((*gc)->dir().path());
  gc->reset();
  runner.join();
  ASSERT_TRUE(*place) << to_sentence(place->error());
  EXPECT_EQ(store_.dir().id_of("fix-160"_name).value(), (*place)->dir.dir().info()->id);
}

TEST_F(Workspace, WhatCannotBeReadIsAnErrorAndNeverNothing) {
  put("harness.json", "{");
  EXPECT_EQ(read_workspace(store_, "fix-160").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(take().error().cause, "bad-workspace-record");
  WorkspaceRecord other = small_workspace();
  other.name = "other";
  put("harness.json", encode_workspace_record(other));
  EXPECT_EQ(take().error().cause, "other-session");
  put_record();
  std::filesystem::remove(path("harness.lock"));
  std::filesystem::create_symlink("/etc/passwd", path("harness.lock"));
  EXPECT_EQ(take().error().cause, "is-link");
}

TEST_F(Workspace, AgeCountsFromThisBootWhereItIsOfAnother) {
  const BootMoment now = workspace_test_moment(100);
  EXPECT_EQ(age_of(workspace_test_moment(40), now), std::chrono::seconds(60));
  EXPECT_EQ(age_of(workspace_test_moment(140), now), Duration::zero());
  BootMoment earlier = workspace_test_moment(100000);
  earlier.boot.bytes[0] ^= 1U;
  EXPECT_EQ(age_of(earlier, now), std::chrono::seconds(100));
}

TEST_F(Workspace, ABootOfAnotherMachineIsNoEarlierOneOfThis) {
  BootMoment now = workspace_test_moment(100);
  now.machine.bytes[0] = 1;
  BootMoment elsewhere = workspace_test_moment(100000);
  elsewhere.boot.bytes[0] ^= 1U;
  elsewhere.machine.bytes[0] = 2;
  EXPECT_EQ(age_of(elsewhere, now), Duration::zero());
  elsewhere.machine = now.machine;
  EXPECT_EQ(age_of(elsewhere, now), std::chrono::seconds(100));
}

TEST_F(Workspace, NothingIsOldForWhoseClockIsShifted) {
  BootMoment born = workspace_test_moment(40);
  born.timens = 1;
  BootMoment now = workspace_test_moment(100000);
  now.timens = 2;
  EXPECT_EQ(age_of(born, now), Duration::zero());
  born.boot.bytes[0] ^= 1U;  // nor of another boot
  EXPECT_EQ(age_of(born, now), Duration::zero());
  now.timens = 1;
  EXPECT_EQ(age_of(born, now), std::chrono::seconds(100000));
}

TEST_F(Workspace, TheDeadAreNotThereAndWhomNobodyCanJudgeIs) {
  WorkspaceRecord record = small_workspace();
  const ProcessIdentity self = own_identity();
  const ProcessIdentity dead = identity_of_the_dead();
  ProcessIdentity elsewhere = self;
  elsewhere.pidns = 0;  // not told, so nobody can look for it
  record.attached = {{.process = dead},
                     {.process = self, .guest = true},
                     {.process = elsewhere},
                     {.process = std::nullopt}};
  const AttachedNow now = attached_now(record);
  ASSERT_EQ(now.there.size(), 3U);
  EXPECT_EQ(now.evidence,
            (std::vector<std::string>{"running", "other-pid-namespace", "no-process"}));
  ASSERT_NE(now.owner(), nullptr);
  EXPECT_TRUE(now.owner()->process == elsewhere);
  record.attached.resize(2);
  EXPECT_EQ(attached_now(record).owner(), nullptr);
}

class AttachWorkspace : public NewWorkspaceFixture {
 protected:
  // Made by a child that is gone, so that nobody owns it.
  void make_free() {
    WorkspaceRequest wanted = order();
    wanted.owner = identity_of_the_dead();
    wanted.resume_id = "5b1c";
    ASSERT_TRUE(make(wanted));
  }
  Result<Attached> attach_as(const std::optional<ProcessIdentity>& process, bool guest = false) {
    return attach(store(), "web", {.process = process, .guest = guest, .what = "pts/3"}, clock_);
  }
  Result<Detached> detach_by(const Claim& claim) { return detach(store(), "web", claim); }
  template <typename T>
  static std::string cause_of(const Result<T>& result) {
    return result ? "(done)" : result.error().cause;
  }
  WorkspaceRecord record() { return **read_workspace(store(), "web"); }

  os::RealClock clock_;
};

TEST_F(AttachWorkspace, ThereIsOneOwnerAndTheNextIsToldWho) {
  make_free();
  const testing::WaitingChild other;
  ASSERT_TRUE(attach_as(identity_of(other.pid())));
  EXPECT_EQ(record().attached.size(), 1U);  // the dead one went
  const auto second = attach_as(own_identity());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_EQ(second.error().cause, "owned");
  EXPECT_NE(second.error().detail.find("pid " + std::to_string(os::number(other.pid()))),
            std::string::npos);
  EXPECT_NE(second.error().detail.find("pts/3"), std::string::npos);
}

TEST_F(AttachWorkspace, WhenTheOwnerDiesTheNextGetsIt) {
  make_free();
  testing::WaitingChild other;
  ASSERT_TRUE(attach_as(identity_of(other.pid())));
  other.kill();
  other.reap();
  EXPECT_TRUE(attach_as(own_identity()));
}

TEST_F(AttachWorkspace, WhomNobodyCanJudgeKeepsIt) {
  make_free();
  ProcessIdentity elsewhere = own_identity();
  elsewhere.pidns = 0;  // not told, so nobody can look for it
  elsewhere.pidfs = 0;
  ASSERT_TRUE(attach_as(elsewhere));
  EXPECT_EQ(cause_of(attach_as(own_identity())), "owned");
  EXPECT_EQ(cause_of(attach_as(std::nullopt)), "owned");
}

TEST_F(AttachWorkspace, WhenTheSecondTerminalLeavesTheFirstKeepsTheWorkspace) {
  make_free();
  const testing::WaitingChild first;
  const testing::WaitingChild second;
  ASSERT_TRUE(attach_as(identity_of(first.pid())));
  const auto guest = attach_as(identity_of(second.pid()), true);
  ASSERT_TRUE(guest);
  const auto left = detach_by({.token = guest->token});
  ASSERT_TRUE(left);
  EXPECT_TRUE(left->who.guest);
  EXPECT_EQ(left->left, 1U);
  EXPECT_EQ(cause_of(attach_as(own_identity())), "owned");
  const auto last = detach_by({.process = identity_of(first.pid())});
  ASSERT_TRUE(last);
  EXPECT_EQ(last->left, 0U);
}

TEST_F(AttachWorkspace, WhoseProcessHasEndedCanStillBeDetached) {
  make_free();
  const auto attached = attach_as(identity_of_the_dead(), true);
  ASSERT_TRUE(attached);
  const auto left = detach_by({.token = attached->token});
  ASSERT_TRUE(left);
  EXPECT_TRUE(left->who.guest);
  EXPECT_EQ(left->left, 0U);
}

TEST_F(AttachWorkspace, AStrangersTokenDetachesNobody) {
  make_free();
  ASSERT_TRUE(attach_as(std::nullopt));
  EXPECT_EQ(cause_of(detach_by({.token = *os::random_id()})), "not-attached");
  EXPECT_EQ(cause_of(detach_by({.process = own_identity()})), "not-attached");
  EXPECT_EQ(cause_of(detach_by({})), "not-attached");
  // A token that may be for a lock says nothing; the process does.
  ASSERT_TRUE(attach_as(own_identity(), true));
  const Claim claim{.token = *os::random_id(), .maybe_other = true, .process = own_identity()};
  EXPECT_EQ(cause_of(detach_by(claim)), "(done)");
  EXPECT_EQ(record().attached.size(), 1U);
}

TEST_F(AttachWorkspace, ThereIsALimitAndTheDeadDoNotCount) {
  make_free();
  for (std::size_t i = 0; i < kMaxAttached; ++i) ASSERT_TRUE(attach_as(own_identity(), true));
  EXPECT_EQ(cause_of(attach_as(own_identity(), true)), "too-many");
}

TEST_F(AttachWorkspace, OfTwoWhoResumeAtOnceOneGetsIt) {
  make_free();
  std::vector<pid_t> children;
  for (int i = 0; i < 16; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      const auto got = resume(store(), "web", {.process = own_identity()}, clock_);
      const bool busy = !got && got.error().cause == "owned";
      if (!got) ::_exit(busy ? 75 : 1);
      for (;;) ::pause();  // it has it as long as it lives
    }
    children.push_back(pid);
  }
  int busy = 0;
  for (int i = 0; i < 15; ++i) {
    int status = 0;
    ::waitpid(-1, &status, 0);
    busy += WIFEXITED(status) && WEXITSTATUS(status) == 75 ? 1 : 0;
  }
  EXPECT_EQ(busy, 15);
  EXPECT_EQ(record().resumes, 1U);
  for (const pid_t pid : children) ::kill(pid, SIGKILL);
  ::waitpid(-1, nullptr, 0);
}

TEST_F(AttachWorkspace, WithoutAResumeIdThereIsNothingToResume) {
  WorkspaceRequest wanted = order();
  wanted.owner = identity_of_the_dead();
  ASSERT_TRUE(make(wanted));
  const auto got = resume(store(), "web", {}, clock_);
  EXPECT_EQ(cause_of(got), "no-resume-id");
  EXPECT_EQ(record().resumes, 0U);
}

TEST_F(AttachWorkspace, OnlyWhoIsAttachedMayChangeAnOwnedWorkspace) {
  const auto made = make(order());
  ASSERT_TRUE(made);
  const auto edit = [](WorkspaceRecord& record) -> Result<> {
    record.resume_id = "new";
    return {};
  };
  EXPECT_EQ(cause_of(change(store(), "web", {}, edit)), "not-the-owner");
  EXPECT_EQ(cause_of(change(store(), "web", {.token = *os::random_id()}, edit)), "not-attached");
  EXPECT_FALSE(record().resume_id);
  EXPECT_EQ(cause_of(change(store(), "web", {.token = made->token}, edit)), "(done)");
  EXPECT_EQ(cause_of(change(store(), "web", {.process = own_identity()}, edit)), "(done)");
  ASSERT_TRUE(detach_by({.token = made->token}));
  EXPECT_EQ(cause_of(change(store(), "web", {}, edit)), "(done)");
}

TEST_F(AttachWorkspace, AChangeIsASignOfLife) {
  make_free();
  const BootMoment before = record().renewed;
  ASSERT_TRUE(change(store(), "web", {}, [](WorkspaceRecord&) -> Result<> { return {}; }));
  EXPECT_GT(record().renewed.boot_ns, before.boot_ns);
  EXPECT_EQ(record().change, 2U);
}

TEST_F(AttachWorkspace, ItIsNotEndedUnderSomebodyUnlessForced) {
  const auto made = make(order());
  ASSERT_TRUE(made);
  const auto end_by = [&](const Claim& claim, Force force) {
    return end(store(), "web", claim, "done", force, clock_);
  };
  EXPECT_EQ(cause_of(end_by({}, Force::kNo)), "attached");
  const auto forced = end_by({}, Force::kYes);
  ASSERT_TRUE(forced);
  EXPECT_TRUE(forced->changed);
  EXPECT_EQ(record().state, WorkspaceState::kEnded);
  EXPECT_EQ(record().ended->reason, "done");
  EXPECT_EQ(record().attached.size(), 1U);  // whoever is there keeps the directory
  const auto again = end_by({}, Force::kNo);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->changed);
  EXPECT_EQ(cause_of(attach_as(own_identity(), true)), "ended");
  EXPECT_EQ(cause_of(change(store(), "web", {.token = made->token},
                            [](WorkspaceRecord&) -> Result<> { return {}; })),
            "ended");
  EXPECT_EQ(cause_of(detach_by({.token = made->token})), "(done)");
}

TEST_F(AttachWorkspace, TheCallersOwnAttachmentsDoNotKeepItFromEnding) {
  ASSERT_TRUE(make(order()));
  ASSERT_TRUE(attach_as(own_identity(), true));
  const auto ended = end(store(), "web", {.process = own_identity()}, "", Force::kNo, clock_);
  ASSERT_TRUE(ended);
  EXPECT_TRUE(record().attached.empty());
}

TEST_F(AttachWorkspace, ALaterWorkspaceOfTheNameIsNotEndedByTheIdOfTheFirst) {
  make_free();
  Id128 other = record().id;
  other.bytes[0] ^= 1U;
  EXPECT_EQ(cause_of(end(store(), "web", {.session = other}, "", Force::kYes, clock_)),
            "no-such-workspace");
  EXPECT_EQ(record().state, WorkspaceState::kReady);
  EXPECT_TRUE(end(store(), "web", {.session = record().id}, "", Force::kNo, clock_));
}

TEST_F(AttachWorkspace, ARebindMovesTheAttachmentToItsCommand) {
  make_free();
  testing::WaitingChild command;
  const auto attached = attach_as(own_identity());
  ASSERT_TRUE(attached);
  ASSERT_TRUE(rebind(store(), "web", attached->token, identity_of(command.pid())));
  EXPECT_EQ(cause_of(attach_as(own_identity())), "owned");
  command.kill();
  command.reap();
  EXPECT_EQ(cause_of(attach_as(own_identity())), "(done)");
}

TEST_F(AttachWorkspace, OneWhoseDirectoryIsNotInItsPlaceIsNotWorkedIn) {
  WorkspaceRequest wanted = outside_order();
  wanted.owner = identity_of_the_dead();
  wanted.resume_id = "5b1c";
  ASSERT_TRUE(make(wanted));
  std::filesystem::rename(tmp_.path("out/web"), tmp_.path("aside"));
  const auto attached = attach_as(own_identity());
  ASSERT_FALSE(attached);
  EXPECT_EQ(attached.error().code, ErrorCode::kRefused);
  EXPECT_EQ(attached.error().cause, "directory-gone");
  EXPECT_EQ(cause_of(resume(store(), "web", {.process = own_identity()}, clock_)),
            "directory-gone");
  EXPECT_EQ(record().resumes, 0U);
  std::filesystem::rename(tmp_.path("aside"), tmp_.path("out/web"));
  EXPECT_EQ(cause_of(attach_as(own_identity())), "(done)");
}

TEST_F(AttachWorkspace, OneThatIsStillBeingMadeIsNotEnded) {
  WorkspaceRecord reserved;
  reserved.name = "web";
  reserved.id = *os::random_id();
  reserved.state = WorkspaceState::kReserved;
  reserved.created = clock_.wall();
  reserved.born = *boot_moment_now();
  reserved.renewed = reserved.born;
  ASSERT_TRUE(publish_workspace_record(store(), reserved));
  EXPECT_EQ(cause_of(end(store(), "web", {}, "", Force::kYes, clock_)), "not-ready");
  EXPECT_EQ(record().state, WorkspaceState::kReserved);
}

TEST_F(AttachWorkspace, OnAPersonsWordTheUnseenLeaveAndWhoRunsStays) {
  make_free();
  ASSERT_TRUE(attach_as(own_identity()));
  ASSERT_TRUE(attach_as(std::nullopt, true));
  ProcessIdentity elsewhere = own_identity();
  elsewhere.pidns = 0;  // not told, so nobody can look for it
  elsewhere.pidfs = 0;
  ASSERT_TRUE(attach_as(elsewhere, true));
  const auto gone = detach_unseen(store(), "web");
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->size(), 2U);
  ASSERT_EQ(record().attached.size(), 1U);
  EXPECT_EQ(record().attached.front().process, own_identity());
  EXPECT_EQ(cause_of(detach_unseen(store(), "web")), "not-attached");
}

}  // namespace
}  // namespace holdfast::session
