// SPDX-License-Identifier: Apache-2.0
//
// Whole runs in a control group, with real processes that try to get away.
#include "supervise/tree_group.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "os/machine/random.h"
#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "proc/tree/cgroup_find.h"
#include "proc/tree/cgroup_fixture.h"
#include "supervise/front_end.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::supervise {
namespace {

using namespace std::chrono_literals;
using proc::in_child;
using proc::kCannotTry;

class GroupedTree : public ::testing::Test {
 protected:
  void SetUp() override {
    request_.run = os::random_id().value();
    request_.contain_by_cgroup = true;
    const auto own = proc::OwnCgroups::read();
    const auto place = own->v2();
    auto trial = proc::CgroupTree::make(os::random_id().value());
    if (!trial) GTEST_SKIP() << "no group can be made here: " << to_sentence(trial.error());
    EXPECT_TRUE(trial->remove());
    parent_ = place->dir.path();
    group_ = parent_ + "/" + proc::cgroup_name(*request_.run);
  }
  void TearDown() override { EXPECT_FALSE(std::filesystem::exists(group_)) << group_; }

  TreeReport run(const std::string& script) {
    request_.commands = {{"/bin/sh", "-c", script}};
    return run_tree(os::RealClock(), request_).value().report;
  }
  void set_deadline() {
    request_.timeout = 300ms;
    request_.grace = 100ms;
  }

  static Containment without_group() {
    return os::pidfds_work() ? Containment::kSubreaper : Containment::kSubreaperByNumber;
  }

  TreeRequest request_;
  std::string parent_;
  std::string group_;
};

TEST_F(GroupedTree, TheCommandIsBornInAGroupOfItsOwnWhichGoesWithIt) {
  std::string printed;
  request_.commands = {{"cat", "/proc/self/cgroup"}};
  request_.stdout_to = os::StdoutTo::kHandle;
  const TakeOutput take = [&](std::string_view bytes) -> Result<> {
    printed += bytes;
    return {};
  };
  const TreeReport report = run_tree(os::RealClock(), request_, take).value().report;
  EXPECT_NE(printed.find("/" + proc::cgroup_name(*request_.run) + "\n"), std::string::npos);
  EXPECT_EQ(report.containment, Containment::kCgroup);
  EXPECT_EQ(name(report.containment), "cgroup");
  EXPECT_TRUE(report.empty);
  EXPECT_EQ(report.terminated + report.killed, 0U);
  EXPECT_EQ(report.commands.front().end->value, 0);
}

TEST_F(GroupedTree, NobodyEscapesTheDeadline) {
  set_deadline();
  request_.timeout = 2s;  // by then all of them are there
  const TreeReport report =
      run("trap '' TERM\n"
          "setsid sh -c 'trap \"\" TERM; sleep 60 & sleep 60' &\n"
          "(setsid sh -c 'sleep 60 & kill -STOP $$' &)\n"
          "sh -c 'while :; do (sleep 60 &) ; sleep 0.05; done' &\n"
          "sleep 60; sleep 60");
  EXPECT_TRUE(report.empty);
  EXPECT_TRUE(report.deadline_fired);
  EXPECT_TRUE(report.survivors.empty());
  EXPECT_GE(report.killed, 2U);
  EXPECT_EQ(report.containment, Containment::kCgroup);
}

TEST_F(GroupedTree, ForkChainsEndAtOnce) {
  set_deadline();
  // Each link starts the next one in a session of its own and ends.
  const TreeReport report =
      run("link() { (exec setsid sh -c \"$1\" link \"$1\" &) ; }\n"
          "body='exec sh -c \"(setsid sh -c \\\"\\$1\\\" link \\\"\\$1\\\" &)\" link \"$1\"'\n"
          "for i in 1 2 3 4; do link \"$body\"; done; sleep 60");
  EXPECT_TRUE(report.empty);
}

TEST_F(GroupedTree, LeftoversAreEndedBeforeItIsOver) {
  const TreeReport report = run("setsid sleep 60 & (sleep 60 &); exit 4");
  EXPECT_TRUE(report.empty);
  EXPECT_EQ(report.commands.front().end->value, 4);
  EXPECT_EQ(report.terminated, 2U);
}

TEST_F(GroupedTree, WhoWasPutIntoItFromOutsideEndsWithIt) {
  request_.grace = 1s;  // without pidfds such a one cannot be sent TERM, only killed with the group
  const proc::WaitingChild stranger;
  const proc::WaitingChild other;
  const TreeReport report =
      run("echo " + std::to_string(os::number(stranger.pid())) + " > " + group_ + "/cgroup.procs");
  stranger.wait_for_end();
  EXPECT_TRUE(report.empty);
  EXPECT_EQ(report.terminated + report.killed, 1U);
  EXPECT_EQ(::kill(os::number(other.pid()), 0), 0);
}

TEST_F(GroupedTree, WhoLeftItIsEndedAllTheSame) {
  set_deadline();
  request_.timeout = 2s;  // by then all of them are there
  const TreeReport report = run("sh -c 'echo 0 > " + parent_ +
                                "/cgroup.procs; trap \"\" TERM; while :; do sleep 60; done' & "
                                "trap '' TERM; while :; do sleep 60; done");
  EXPECT_TRUE(report.empty);
  EXPECT_GE(report.killed, 3U);
}

TEST_F(GroupedTree, GroupsThatTheTreeMadeGoToo) {
  const TreeReport report = run("mkdir -p " + group_ + "/a/b " + group_ + "/a/c && " + "echo 0 > " +
                                group_ + "/a/b/cgroup.procs && sleep 60 &\n" + "sleep 60 & exit 0");
  EXPECT_TRUE(report.empty);
}

TEST_F(GroupedTree, WhatIsNeverStartedLeavesNoGroup) {
  request_.commands = {{"/no/such/program"}};
  const TreeReport missing = run_tree(os::RealClock(), request_).value().report;
  EXPECT_TRUE(missing.commands.front().start_failure);
  EXPECT_TRUE(missing.empty);

  class Refuses final : public CallerHooks {
    Result<> born(const Born&) override { return fail({.code = ErrorCode::kBusy}); }
  } caller_hooks;
  EXPECT_FALSE(run_tree(os::RealClock(), request_, {}, &caller_hooks));
}

TEST_F(GroupedTree, ItOutlivesASupervisorThatIsKilledAndCanBeEndedThen) {
  class KillsTheSupervisor final : public CallerHooks {
    Result<> born(const Born& born) override {
      supervisor_ = *born.supervisor;
      return {};
    }
    void started() override { ::kill(os::number(supervisor_), SIGKILL); }
    os::Pid supervisor_{};
  } caller_hooks;
  request_.commands = {{"sleep", "60"}};
  const TreeReport report = run_tree(os::RealClock(), request_, {}, &caller_hooks)->report;
  EXPECT_TRUE(report.supervisor_gone);
  const auto place = proc::OwnCgroups::read()->v2();
  const auto inode = os::Dir::open(group_)->info()->id.inode;
  const SessionCgroup group{.path = group_, .id = inode, .root = place->root};
  // The go reached it or the gate closed: both are possible, and neither is a lie.
  const auto look = proc::find_cgroup(group, *request_.run);
  EXPECT_NE(look.state, proc::CgroupLook::State::kCannotTell);
  const auto adopted = proc::CgroupTree::open(group, *request_.run);
  ASSERT_TRUE(adopted && *adopted);
  EXPECT_TRUE((*adopted)->kill());
  EXPECT_TRUE(proc::becomes_empty(**adopted));
  EXPECT_EQ(proc::find_cgroup(group, *request_.run).state, proc::CgroupLook::State::kEmpty);
  EXPECT_EQ((*adopted)->remove().value(), proc::CgroupTree::Removal::kRemoved);
}

TEST_F(GroupedTree, ALineOfCommandsIsOneTree) {
  request_.commands = {{"sh", "-c", "sleep 60 >/dev/null & echo x"}, {"cat"}, {"grep", "-q", "x"}};
  const TreeReport report = run_tree(os::RealClock(), request_).value().report;
  EXPECT_TRUE(report.empty);
  EXPECT_EQ(report.containment, Containment::kCgroup);
  EXPECT_EQ(report.commands.size(), 3U);
}

TEST_F(GroupedTree, WhereNoneCanBeMadeItIsHeldTogetherWithout) {
  const int code = in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", "/sys/fs/cgroup", "tmpfs", 0, nullptr) != 0) {
      return kCannotTry;
    }
    set_deadline();
    const TreeReport report = run("setsid sleep 60 & sleep 60");
    return report.empty && report.containment == without_group() ? 0 : 1;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no mount namespaces here";
  EXPECT_EQ(code, 0);
}

// Fails one call; of opening cgroup.procs all but the first, which only asks whether it may.
class Denied final : public testing::CallHook {
 public:
  Denied(int clone_code, bool moves) : clone_code_(clone_code), moves_(moves), hooked_(*this) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name == "clone3") return {.kind = testing::Fate::Kind::kFail, .os_code = clone_code_};
    if (moves_ || call.path != "cgroup.procs" || ++seen_ == 1) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = EACCES};
  }

 private:
  int clone_code_;
  bool moves_;
  int seen_ = 0;
  testing::ScopedCallHook hooked_;
};

TEST_F(GroupedTree, WithoutClone3ItIsMovedIntoTheGroup) {
  for (const int os_code : {ENOSYS, EPERM}) {
    const Denied denied(os_code, true);
    const TreeReport report =
        run("grep -q " + proc::cgroup_name(*request_.run) + " /proc/self/cgroup && exit 6");
    EXPECT_EQ(report.commands.front().end->value, 6);
    EXPECT_EQ(report.containment, Containment::kCgroup);
    EXPECT_TRUE(report.empty);
  }
}

TEST_F(GroupedTree, AGroupThatNobodyCanEnterIsGivenUp) {
  const Denied denied(ENOSYS, false);
  const TreeReport report = run("exit 6");
  EXPECT_EQ(report.commands.front().end->value, 6);
  EXPECT_EQ(report.containment, without_group());
  EXPECT_TRUE(report.empty);
}

TEST_F(GroupedTree, AKillAtTheMemoryLimitIsReported) {
  request_.limits.memory = std::uint64_t{32} << 20U;
  const TreeReport report = run(
      "awk 'BEGIN { x = \"0123456789abcdef\"; for (i = 0; i < 24; ++i) x = x x }'; echo $? >&2");
  ASSERT_EQ(report.limits_by.size(), 1U);
  if (report.limits_by.front().find("rlimit") != std::string::npos) {
    GTEST_SKIP() << "no memory controller here: " << report.limits_by.front();
  }
  EXPECT_EQ(report.oom_killed, 1U);
  EXPECT_TRUE(report.empty);
}

TEST_F(GroupedTree, ALimitThatCannotBeEnforcedKeepsTheCommandFromRunning) {
  request_.limits.nofile = std::uint64_t{1} << 40U;
  const TreeReport report = run("touch /tmp/holdfast-must-not-exist-" + to_hex(*request_.run));
  ASSERT_TRUE(report.fault);
  EXPECT_EQ(report.fault->cause, "limit-not-enforceable");
  EXPECT_FALSE(report.started);
  EXPECT_FALSE(std::filesystem::exists("/tmp/holdfast-must-not-exist-" + to_hex(*request_.run)));
}

}  // namespace
}  // namespace holdfast::supervise
