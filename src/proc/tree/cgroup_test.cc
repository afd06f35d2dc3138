// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/cgroup.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "os/process/pid.h"
#include "os/process/pidfd.h"
#include "os/signal/signals.h"
#include "os/stream/control_file.h"
#include "proc/tree/cgroup_find.h"
#include "proc/tree/cgroup_fixture.h"
#include "proc/tree/cgroup_place.h"
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

using os::operator""_name;

// The first v2 mount: where it is and where in it this process is.
std::string own_v2(std::string_view mountinfo, std::string_view cgroup) {
  for (const CgroupMount& mount : parse_cgroup_mounts(mountinfo, cgroup)) {
    if (mount.v2) return mount.own ? mount.mount + " + " + *mount.own : mount.mount + " hides it";
  }
  return "none";
}

TEST(CgroupPlace, PureV2) {
  EXPECT_EQ(own_v2("30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
                   "0::/user.slice/user-1000.slice/session-1.scope\n"),
            "/sys/fs/cgroup + user.slice/user-1000.slice/session-1.scope");
}

TEST(CgroupPlace, BothSideBySide) {
  const auto mounts = parse_cgroup_mounts(
      "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
      "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
      "35 31 0:32 / /sys/fs/cgroup/memory rw shared:9 master:1 - cgroup cgroup rw,memory\n"
      "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
      "9:name=systemd:/s\n4:memory:/a/b\n1:cpu,cpuacct:/c\n0::/u\n");
  const std::vector<CgroupMount> expected{
      {.v2 = true, .mount = "/sys/fs/cgroup/unified", .own = "u"},
      {.controllers = {"name=systemd"}, .mount = "/sys/fs/cgroup/systemd", .own = "s"},
      {.controllers = {"memory"}, .mount = "/sys/fs/cgroup/memory", .own = "a/b"},
      {.controllers = {"cpu", "cpuacct"}, .mount = "/sys/fs/cgroup/cpu,cpuacct", .own = "c"},
  };
  EXPECT_EQ(mounts, expected);
}

TEST(CgroupPlace, AContainerThatSeesItsOwnPartAsTheWhole) {
  EXPECT_EQ(
      own_v2("9 1 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n", "0::/docker/abc\n"),
      "/sys/fs/cgroup + ");
  EXPECT_EQ(own_v2("9 1 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
                   "0::/docker/abc/inner\n"),
            "/sys/fs/cgroup + inner");
}

TEST(CgroupPlace, WhatTheMountDoesNotShowIsNotGuessed) {
  const std::string of_another = "9 1 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
  EXPECT_EQ(own_v2(of_another, "0::/docker/abcdef\n"), "/sys/fs/cgroup hides it");
  EXPECT_EQ(own_v2(of_another, "0::/\n"), "/sys/fs/cgroup hides it");
  EXPECT_EQ(own_v2("9 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/../other\n"),
            "/sys/fs/cgroup hides it");
  EXPECT_EQ(own_v2("9 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", ""),
            "/sys/fs/cgroup hides it");
}

TEST(CgroupPlace, OddNamesAndOddLines) {
  EXPECT_EQ(own_v2("9 1 0:26 /a\\040b /mnt/c\\011\\134d rw - cgroup2 none rw\n", "0::/a b/c:d\n"),
            "/mnt/c\t\\d + c:d");
  EXPECT_EQ(own_v2("\n9 1\n - \n9 1 0:26 / /x rw - cgroup2\ngarbage - cgroup2 a b", "::\n0\n"),
            "none");
}

TEST(CgroupPlace, ThisProcessIsListedInItsOwnGroup) {
  const auto own = OwnCgroups::read();
  ASSERT_TRUE(own);
  const auto place = own->v2();
  if (!place) GTEST_SKIP() << to_sentence(place.error());
  const auto procs = os::read_control(place->dir, "cgroup.procs"_name);
  ASSERT_TRUE(procs && *procs);
  EXPECT_NE(("\n" + **procs).find("\n" + std::to_string(os::number(os::own_pid())) + "\n"),
            std::string::npos);
  EXPECT_NE(place->root, 0U);
}

// After the death of whoever made the group; and from places where its path means something else.

using State = CgroupLook::State;

class CgroupFind : public RealGroup {
 protected:
  [[nodiscard]] CgroupLook look() const { return find_cgroup(tree_->id(), run_); }
  // The directory that the hierarchy is mounted on.
  static std::string mount_of_v2() {
    const auto own = OwnCgroups::read();
    const std::string path = own->v2()->dir.path();
    for (std::string at = path; !at.empty(); at.resize(at.rfind('/'))) {
      struct stat here{};
      struct stat above{};
      if (::stat(at.c_str(), &here) == 0 && ::stat((at + "/..").c_str(), &above) == 0 &&
          here.st_dev != above.st_dev) {
        return at;
      }
    }
    return path;
  }
};

bool cgroup_find_says(const CgroupLook& look, State state, std::string_view evidence) {
  return look.state == state && look.evidence == evidence;
}

TEST_F(CgroupFind, ItIsEmptyOrLivesOrIsGone) {
  EXPECT_TRUE(cgroup_find_says(look(), State::kEmpty, "populated-0"));
  {
    const WaitingChild child([&] { static_cast<void>(write_text(procs().c_str(), "0")); });
    EXPECT_TRUE(cgroup_find_says(look(), State::kLives, "populated-1"));
    EXPECT_EQ(look().members.pids, std::vector<os::Pid>{child.pid()});
  }
  EXPECT_TRUE(becomes_empty(*tree_));
  ASSERT_EQ(tree_->remove().value(), CgroupTree::Removal::kRemoved);
  EXPECT_TRUE(cgroup_find_says(look(), State::kEmpty, "gone"));
}

TEST_F(CgroupFind, TheGroupOutlivesItsMakerAndIsEndedByAnother) {
  const Id128 run = os::random_id().value();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int status = in_child([&]() -> int {
    const auto made = CgroupTree::make(run);
    if (!made) return 1;
    os::SpawnRequest request{.argv = {"sleep", "60"}};
    request.cgroup = made->handle();
    auto spawned = os::spawn(request);
    if (!spawned || !spawned->release() || spawned->read_start().value()) return 2;
    const std::string path = made->id().path;
    const std::uint64_t numbers[] = {made->id().id, made->id().root,
                                     static_cast<std::uint64_t>(os::number(spawned->child().pid))};
    if (::write(ends[1], numbers, sizeof numbers) != sizeof numbers) return 3;
    if (::write(ends[1], path.data(), path.size()) != static_cast<ssize_t>(path.size())) return 4;
    ::raise(SIGKILL);
    return 5;
  });
  ::close(ends[1]);
  ASSERT_EQ(status, 1000 + SIGKILL);
  std::uint64_t numbers[3] = {};
  char path[4096] = {};
  ASSERT_EQ(::read(ends[0], numbers, sizeof numbers), static_cast<ssize_t>(sizeof numbers));
  ASSERT_GT(::read(ends[0], path, sizeof path - 1), 0);
  ::close(ends[0]);
  const SessionCgroup group{.path = path, .id = numbers[0], .root = numbers[1]};

  const CgroupLook alive = find_cgroup(group, run);
  EXPECT_TRUE(cgroup_find_says(alive, State::kLives, "populated-1"));
  EXPECT_EQ(alive.members.pids, std::vector<os::Pid>{os::Pid{static_cast<int>(numbers[2])}});
  const auto adopted = CgroupTree::open(group, run);
  ASSERT_TRUE(adopted && *adopted);
  EXPECT_TRUE((*adopted)->kill());
  EXPECT_TRUE(becomes_empty(**adopted));
  EXPECT_TRUE(cgroup_find_says(find_cgroup(group, run), State::kEmpty, "populated-0"));
  EXPECT_EQ((*adopted)->remove().value(), CgroupTree::Removal::kRemoved);
  EXPECT_TRUE(cgroup_find_says(find_cgroup(group, run), State::kEmpty, "gone"));
  EXPECT_FALSE(CgroupTree::open(group, run).value());
}

TEST_F(CgroupFind, ALaterGroupOfTheSameNameIsAnother) {
  const SessionCgroup old = tree_->id();
  ASSERT_EQ(tree_->remove().value(), CgroupTree::Removal::kRemoved);
  tree_ = CgroupTree::make(run_).value();
  const WaitingChild child([&] { static_cast<void>(write_text(procs().c_str(), "0")); });
  EXPECT_TRUE(cgroup_find_says(find_cgroup(old, run_), State::kEmpty, "other-inode"));
  EXPECT_FALSE(CgroupTree::open(old, run_).value()) << "and is not for the old record to kill";
  EXPECT_TRUE(cgroup_find_says(look(), State::kLives, "populated-1"));
}

TEST_F(CgroupFind, AForgedRecordLeadsNowhere) {
  const Id128 other = os::random_id().value();
  EXPECT_TRUE(
      cgroup_find_says(find_cgroup(tree_->id(), other), State::kCannotTell, "not-its-group"));
  EXPECT_FALSE(CgroupTree::open(tree_->id(), other).value());
  SessionCgroup forged = tree_->id();
  forged.path = "/etc/" + cgroup_name(run_);
  EXPECT_TRUE(cgroup_find_says(find_cgroup(forged, run_), State::kCannotTell, "no-cgroup-here"));
  forged.path = tree_->id().path + "/../" + cgroup_name(run_);
  EXPECT_TRUE(cgroup_find_says(find_cgroup(forged, run_), State::kCannotTell, "not-its-group"));
  forged = tree_->id();
  forged.root += 1;
  EXPECT_TRUE(cgroup_find_says(find_cgroup(forged, run_), State::kCannotTell, "other-root"));
  forged.root = 0;
  EXPECT_TRUE(cgroup_find_says(find_cgroup(forged, run_), State::kCannotTell, "other-root"));
}

TEST_F(CgroupFind, WhereTheHierarchyIsNotMountedNothingIsProven) {
  const std::string mount = mount_of_v2();
  const int code = in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", mount.c_str(), "tmpfs", 0, nullptr) != 0) {
      return kCannotTry;
    }
    if (!cgroup_find_says(look(), State::kCannotTell, "no-cgroup-here")) return 1;
    const auto denied = CgroupTree::make(os::random_id().value());
    return !denied && denied.error().cause == "no-cgroup" ? 0 : 2;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no mount namespaces here";
  EXPECT_EQ(code, 0);
}

TEST_F(CgroupFind, AReadOnlyHierarchyShowsWhatItHasAndTakesNothing) {
  const std::string mount = mount_of_v2();
  const int code = in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", mount.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0) {
      return kCannotTry;
    }
    if (!cgroup_find_says(look(), State::kEmpty, "populated-0")) return 1;
    const auto denied = CgroupTree::make(os::random_id().value());
    return !denied && denied.error().cause == "erofs" ? 0 : 2;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no mount namespaces here";
  EXPECT_EQ(code, 0);
}

// A container: its own part of the hierarchy is mounted at the same place.
TEST_F(CgroupFind, InAnotherCgroupNamespaceTheSamePathIsNotTheSameGroup) {
  const std::string mount = mount_of_v2();
  const int code = in_child([&] {
    if (!write_text(procs().c_str(), "0")) return kCannotTry;
    if (::unshare(CLONE_NEWNS | CLONE_NEWCGROUP) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::umount2(mount.c_str(), MNT_DETACH) != 0 ||
        ::mount("none", mount.c_str(), "cgroup2", 0, nullptr) != 0) {
      return kCannotTry;
    }
    SessionCgroup inside = tree_->id();
    inside.path = mount + "/" + cgroup_name(run_);
    if (!cgroup_find_says(find_cgroup(inside, run_), State::kCannotTell, "other-root")) return 1;
    // A group of its own is made and found from in here.
    const Id128 run = os::random_id().value();
    const auto made = CgroupTree::make(run);
    if (!made || made->id().path != mount + "/" + cgroup_name(run)) return 2;
    if (!cgroup_find_says(find_cgroup(made->id(), run), State::kEmpty, "populated-0")) return 3;
    return made->remove().value() == CgroupTree::Removal::kRemoved ? 0 : 4;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no cgroup namespaces here";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace holdfast::proc
