// SPDX-License-Identifier: Apache-2.0
//
// After the death of whoever made the group; and from places where its path means something else.
#include "proc/tree/cgroup_find.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "proc/tree/cgroup_fixture.h"

namespace holdfast::proc {
namespace {

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
