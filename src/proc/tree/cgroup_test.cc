// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/cgroup.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "os/process/pidfd.h"
#include "os/signal/signals.h"
#include "proc/tree/cgroup_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::proc {
namespace {

using Blow = CgroupTree::Blow;
using Removal = CgroupTree::Removal;

class Cgroup : public RealGroup {};

// Counts calls by name and end of the path; with a number they fail.
class Watched final : public testing::CallHook {
 public:
  struct Rule {
    std::string_view call;
    std::string_view path_end;
    int os_code = 0;
    int seen = 0;
  };
  explicit Watched(std::vector<Rule> all) : rules(std::move(all)), hooked_(*this) {}
  testing::Fate before(const testing::CallSite& call) override {
    for (Rule& rule : rules) {
      if (call.name != rule.call || !call.path.ends_with(rule.path_end)) continue;
      ++rule.seen;
      if (rule.os_code == 0) return {};
      return {.kind = testing::Fate::Kind::kFail, .os_code = rule.os_code};
    }
    return {};
  }
  std::vector<Rule> rules;

 private:
  testing::ScopedCallHook hooked_;
};

bool contains(const CgroupMembers& members, os::Pid pid) {
  return std::ranges::find(members.pids, pid) != members.pids.end();
}

TEST_F(Cgroup, ANewGroupIsEmptyAndNamedAfterItsRun) {
  EXPECT_FALSE(tree_->populated().value());
  EXPECT_TRUE(tree_->members()->empty());
  EXPECT_TRUE(tree_->id().path.ends_with("/holdfast-" + to_hex(run_).substr(0, 16)));
  EXPECT_NE(tree_->id().id, 0U);
  EXPECT_EQ(CgroupTree::make(run_).error().cause, "eexist");
}

TEST_F(Cgroup, ACommandIsBornInItAndNotMovedThere) {
  Result<os::Spawned> spawned = fail({});
  {
    const Watched calls({{"clone3", ""}, {"openat", "cgroup.procs"}});
    spawned = spawn_in({"sleep", "60"});
    EXPECT_EQ(calls.rules[0].seen, 1);
    if (calls.rules[1].seen != 0) GTEST_SKIP() << "clone3 cannot do it here, so it was moved";
  }
  ASSERT_TRUE(spawned);
  EXPECT_TRUE(contains(*tree_->members(), spawned->child().pid)) << "before the gate is open";
  EXPECT_TRUE(tree_->populated().value());
  EXPECT_TRUE(spawned->child().pidfd.valid());
}

TEST_F(Cgroup, WithoutClone3ItIsMovedThereBeforeTheGateOpens) {
  for (const int os_code : {ENOSYS, EPERM, EINVAL, E2BIG}) {
    const Watched denied({{"clone3", "", os_code}});
    const auto spawned = spawn_in({"sleep", "60"});
    ASSERT_TRUE(spawned) << os_code;
    EXPECT_EQ(denied.rules[0].seen, 1);
    EXPECT_TRUE(contains(*tree_->members(), spawned->child().pid));
  }
}

TEST_F(Cgroup, WhoCannotBePutIntoItIsNotStartedAtAll) {
  for (const int os_code : {ENOSYS, EAGAIN}) {
    {
      const Watched denied({{"clone3", "", os_code}, {"openat", "cgroup.procs", EACCES}});
      const auto spawned = spawn_in({"sleep", "60"});
      ASSERT_FALSE(spawned);
      EXPECT_EQ(spawned.error().cause, os_code == ENOSYS ? "eacces" : "eagain");
    }
    EXPECT_EQ(::waitpid(-1, nullptr, 0), -1) << "a child was left";
  }
}

TEST_F(Cgroup, KillStrikesEverybodyAtOnce) {
  const WaitingChild leader([&] {
    static_cast<void>(write_text(procs().c_str(), "0"));
    static_cast<void>(::signal(SIGTERM, SIG_IGN));
    for (int i = 0; i < 20; ++i) {
      if (::fork() != 0) continue;
      ::setsid();
      if (i % 2 == 0) ::raise(SIGSTOP);
      for (;;) ::pause();
    }
  });
  ASSERT_TRUE(leader.ready());
  EXPECT_EQ(tree_->members()->pids.size(), 21U);
  EXPECT_EQ(tree_->kill().value(), Blow::kAll);
  EXPECT_TRUE(becomes_empty(*tree_));
}

TEST_F(Cgroup, WithoutCgroupKillThoseSeenAreKilledUntilNobodyIsLeft) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds here";
  std::optional<CgroupTree> old_kernel;
  {
    const Watched missing({{"openat", "cgroup.kill", ENOENT}});
    old_kernel = CgroupTree::open(tree_->id(), run_).value();
  }
  ASSERT_TRUE(old_kernel);
  const WaitingChild leader([&] {
    static_cast<void>(write_text(procs().c_str(), "0"));
    for (int i = 0; i < 200; ++i) {  // more than are pinned at a time
      if (::fork() == 0) {
        for (;;) ::pause();
      }
    }
  });
  ASSERT_EQ(tree_->members()->pids.size(), 201U);
  while (old_kernel->populated().value()) EXPECT_EQ(old_kernel->kill().value(), Blow::kThoseSeen);
}

TEST_F(Cgroup, TheLastEndIsAnnounced) {
  EXPECT_FALSE(tree_->populated().value());
  EXPECT_FALSE(os::is_readable(tree_->changes()).value());
  const WaitingChild child([&] { static_cast<void>(write_text(procs().c_str(), "0")); });
  EXPECT_TRUE(os::wait_readable({&tree_->changes()}, std::chrono::seconds(30)).value());
  EXPECT_TRUE(tree_->populated().value());
  EXPECT_FALSE(os::is_readable(tree_->changes()).value()) << "the answer was taken";
  child.kill();
  EXPECT_TRUE(os::wait_readable({&tree_->changes()}, std::chrono::seconds(30)).value());
  EXPECT_TRUE(becomes_empty(*tree_));
}

TEST_F(Cgroup, OnlyMembersAreSignalled) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds here";
  const auto join = [&] { static_cast<void>(write_text(procs().c_str(), "0")); };
  const WaitingChild member(join);
  const WaitingChild spared(join);
  const WaitingChild stranger;
  const auto reached =
      tree_->signal_members({os::kSignalKill}, [&](os::Pid pid) { return pid != spared.pid(); });
  EXPECT_EQ(reached.value(), std::vector<os::Pid>{member.pid()});
  member.wait_for_end();
  EXPECT_EQ(::kill(os::number(stranger.pid()), 0), 0);
  EXPECT_TRUE(contains(*tree_->members(), spared.pid()));
}

TEST_F(Cgroup, GroupsBelowCountAndGoWithIt) {
  const std::string inner = tree_->id().path + "/a";
  ASSERT_EQ(::mkdir(inner.c_str(), 0755), 0);
  ASSERT_EQ(::mkdir((inner + "/b").c_str(), 0755), 0);
  ASSERT_EQ(::mkdir((inner + "/c").c_str(), 0755), 0);
  {
    const WaitingChild deep(
        [&] { static_cast<void>(write_text((inner + "/b/cgroup.procs").c_str(), "0")); });
    EXPECT_EQ(tree_->members()->pids, std::vector<os::Pid>{deep.pid()});
    EXPECT_TRUE(tree_->populated().value());
    EXPECT_EQ(tree_->remove().value(), Removal::kBusy);
    EXPECT_TRUE(tree_->populated().value()) << "what is busy is still there";
    EXPECT_EQ(tree_->kill().value(), Blow::kAll);
    EXPECT_TRUE(becomes_empty(*tree_));
  }
  EXPECT_EQ(tree_->remove().value(), Removal::kRemoved);
  EXPECT_NE(::access(tree_->id().path.c_str(), F_OK), 0);
  EXPECT_FALSE(tree_->populated().value()) << "a group that is gone has nobody in it";
  EXPECT_EQ(tree_->remove().value(), Removal::kRemoved);
}

}  // namespace
}  // namespace holdfast::proc
