// SPDX-License-Identifier: Apache-2.0
//
// Real limits on real commands. Which way enforces them depends on the machine; that they hold does
// not.
#include "proc/tree/limits.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <filesystem>

#include "proc/tree/cgroup_fixture.h"

namespace holdfast::proc {
namespace {

class LimitsOf : public ::testing::Test {
 protected:
  void SetUp() override {
    run_ = os::random_id().value();
    if (auto made = CgroupTree::make(run_)) tree_ = std::move(*made);
  }
  void TearDown() override {
    EXPECT_EQ(limits_.remove().value(), CgroupTree::Removal::kRemoved);
    if (tree_) {
      EXPECT_EQ(tree_->remove().value(), CgroupTree::Removal::kRemoved);
    }
    EXPECT_EQ(groups_left(), 0);
  }

  // Skips where a limit cannot be enforced here.
  Result<> prepare(const LimitRequest& request) {
    limits_ = HF_TRY(Limits::prepare(request, run_, tree_ ? &*tree_ : nullptr));
    return {};
  }
  // How a shell script ends under the limits.
  os::ChildEnd run(const std::string& script) const {
    os::SpawnRequest request{.argv = {"/bin/sh", "-c", script}};
    if (tree_) request.cgroup = tree_->handle();
    auto spawned = os::spawn(request);
    EXPECT_TRUE(spawned && limits_.apply_to(spawned->child().pid) && spawned->release());
    return os::reap_child(spawned->child().pid).value();
  }
  // Directories of this run's name in any hierarchy.
  [[nodiscard]] int groups_left() const {
    int left = 0;
    const auto own = OwnCgroups::read();
    for (const char* controller : {"memory", "pids", "cpu"}) {
      const auto place = own->v1(controller);
      if (place)
        left += std::filesystem::exists(place->dir.path() + "/" + cgroup_name(run_)) ? 1 : 0;
    }
    return left;
  }

  Id128 run_{};
  std::optional<CgroupTree> tree_{};
  Limits limits_{};
};

constexpr std::uint64_t kMebi = std::uint64_t{1} << 20U;

TEST_F(LimitsOf, WhoTakesMoreMemoryThanAllowedIsKilledAndThatIsCounted) {
  ASSERT_TRUE(prepare({.memory = 32 * kMebi}));
  const bool by_group = limits_.by().front().by != LimitBy::kRlimit;
  EXPECT_EQ(run("exit 7").value, 7) << "what is within the limit is not touched";
  // 256 MiB in one variable; the sub-shell leaves the counting to us.
  const os::ChildEnd end =
      run("exec awk 'BEGIN { x = \"0123456789abcdef\"; for (i = 0; i < 24; ++i) x = x x }'");
  if (!by_group) {
    EXPECT_NE(end.value, 0);
    GTEST_SKIP() << "no group has the memory controller here: " << limits_.by_text().front();
  }
  EXPECT_EQ(end.how, os::ChildEnd::How::kSignalled);
  EXPECT_EQ(end.value, SIGKILL);
  EXPECT_GE(limits_.oom_kills().value().value_or(0), 1U);
}

TEST_F(LimitsOf, AForkBeyondTheAllowedNumberFails) {
  const auto prepared = prepare({.pids = 4});
  if (!prepared) GTEST_SKIP() << to_sentence(prepared.error());
  EXPECT_EQ(run("true & true & wait; exit 5").value, 5);
  const os::ChildEnd end =
      run("for i in 1 2 3 4 5 6 7 8; do sleep 60 & done 2>/dev/null; echo never");
  EXPECT_NE(end.value, 0) << "a shell gives up when it cannot fork";
  if (tree_) {
    EXPECT_TRUE(tree_->kill());
    EXPECT_TRUE(becomes_empty(*tree_));
  }
}

TEST_F(LimitsOf, TheShareOfTheProcessorsIsSet) {
  const auto prepared = prepare({.cpu_percent = 150});
  if (!prepared) GTEST_SKIP() << to_sentence(prepared.error());
  const bool v2 = limits_.by().front().by == LimitBy::kCgroup2;
  const auto own = OwnCgroups::read();
  std::string path =
      v2 ? tree_->id().path + "/cpu.max"
         : own->v1("cpu")->dir.path() + "/" + cgroup_name(run_) + "/cpu.cfs_quota_us";
  EXPECT_EQ(run("read quota rest < " + path + " && [ \"$quota\" = 150000 ]").value, 0);
}

TEST_F(LimitsOf, OpenFilesAreOfEachProcess) {
  ASSERT_TRUE(prepare({.nofile = 16}));
  EXPECT_EQ(limits_.by_text(), std::vector<std::string>{"nofile: rlimit"});
  EXPECT_EQ(run("[ \"$(ulimit -Sn)\" = 16 ] && [ \"$(ulimit -Hn)\" = 16 ]").value, 0);
}

TEST_F(LimitsOf, WhatTheKernelWillNotGrantIsAnError) {
  constexpr std::uint64_t kMoreThanAnybodyMay = std::uint64_t{1} << 40U;
  ASSERT_TRUE(prepare({.nofile = kMoreThanAnybodyMay}));
  os::SpawnRequest request{.argv = {"/bin/true"}};
  auto spawned = os::spawn(request).value();
  const auto applied = limits_.apply_to(spawned.child().pid);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().cause, "limit-not-enforceable");
  ASSERT_TRUE(spawned.release());
  ASSERT_TRUE(os::reap_child(spawned.child().pid));
}

TEST_F(LimitsOf, AllAtOnce) {
  const auto prepared =
      prepare({.memory = 512 * kMebi, .pids = 64, .cpu_percent = 50, .nofile = 64});
  if (!prepared) GTEST_SKIP() << to_sentence(prepared.error());
  EXPECT_EQ(limits_.by().size(), 4U);
  EXPECT_EQ(run("exit 3").value, 3);
  EXPECT_EQ(limits_.oom_kills().value().value_or(0), 0U);
}

TEST_F(LimitsOf, WhatADeadSupervisorLeftBehindIsRemoved) {
  const int code = in_child([&] {
    const auto made = Limits::prepare({.memory = 512 * kMebi, .pids = 64}, run_, nullptr);
    return made ? 0 : 1;  // and it is gone without a word
  });
  if (code != 0) GTEST_SKIP() << "no hierarchy of version 1 has the controllers here";
  EXPECT_GT(groups_left(), 0);
  EXPECT_EQ(Limits::remove_left_behind(run_).value(), CgroupTree::Removal::kRemoved);
  EXPECT_EQ(groups_left(), 0);
  EXPECT_EQ(Limits::remove_left_behind(run_).value(), CgroupTree::Removal::kRemoved);
}

// No hierarchy at all, as in many containers.
template <typename Body>
int without_groups(const Body& body) {
  return in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", "/sys/fs/cgroup", "tmpfs", 0, nullptr) != 0) {
      return kCannotTry;
    }
    return body();
  });
}

TEST(LimitsWithoutGroups, WhatCannotBeEnforcedIsRefusedWithTheReason) {
  const Id128 run = os::random_id().value();
  const int code = without_groups([&] {
    for (const LimitRequest& request : {LimitRequest{.pids = 5}, LimitRequest{.cpu_percent = 5}}) {
      const auto refused = Limits::prepare(request, run, nullptr);
      if (refused || refused.error().cause != "limit-not-enforceable") return 1;
      if (refused.error().detail.find("version 1: cannot ") == std::string::npos) return 2;
      LimitRequest lenient = request;
      lenient.best_effort = true;
      const auto taken = Limits::prepare(lenient, run, nullptr);
      if (!taken || taken->by().front().by != LimitBy::kNothing) return 3;
      if (taken->by_text().front().find(": not enforced (") == std::string::npos) return 4;
    }
    return 0;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no mount namespaces here";
  EXPECT_EQ(code, 0);
}

TEST(LimitsWithoutGroups, MemoryIsThenOfEachProcessWhereThatWasAskedFor) {
  const Id128 run = os::random_id().value();
  const int code = without_groups([&] {
    if (Limits::prepare({.memory = 64 * kMebi}, run, nullptr)) return 5;
    const auto limits =
        Limits::prepare({.memory = 64 * kMebi, .memory_by_rlimit = true}, run, nullptr);
    if (!limits || limits->by().front().by != LimitBy::kRlimit) return 1;
    auto spawned =
        os::spawn({.argv = {"/bin/sh", "-c", "ulimit -v"}, .stdout_to = os::StdoutTo::kStderr});
    if (!spawned || !limits->apply_to(spawned->child().pid)) return 2;
    rlimit now{};
    if (::prlimit(os::number(spawned->child().pid), RLIMIT_AS, nullptr, &now) != 0) return 3;
    return now.rlim_cur == 64 * kMebi && now.rlim_max == 64 * kMebi ? 0 : 4;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no mount namespaces here";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace holdfast::proc
