// SPDX-License-Identifier: Apache-2.0
#include "os/dir/remove_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "os/sys/sys_linux.h"
#include "testing/fault_sweep.h"
#include "testing/processes.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

namespace fs = std::filesystem;

class RemoveTree : public ::testing::Test {
 protected:
  void file(const std::string& path) const { std::ofstream(at(path)) << "x"; }
  void dir(const std::string& path) const { fs::create_directories(at(path)); }
  [[nodiscard]] std::string at(const std::string& path) const { return tmp_.path() + "/" + path; }
  [[nodiscard]] bool there(const std::string& path) const {
    return fs::symlink_status(at(path)).type() != fs::file_type::not_found;
  }
  [[nodiscard]] TreeRemoval remove(const std::string& name = "tree") const {
    // Opened here: a directory that was opened before the mounts were made does not see them.
    return remove_tree(*Dir::open(tmp_.path()), *SafeName::make(name));
  }
  // A chain of directories, made from the inside so that no path is long.
  void deep(const std::string& name, int levels) const {
    int fd = ::open(tmp_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_EQ(::mkdirat(fd, name.c_str(), 0700), 0);
    std::string next = name;
    for (int i = 0; i < levels; ++i) {
      const int below = ::openat(fd, next.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      ASSERT_GE(below, 0);
      ::close(fd);
      fd = below;
      next = "d";
      ASSERT_EQ(::mkdirat(fd, "d", 0700), 0);
    }
    ::close(fd);
  }

  testing::TempDir tmp_;
};

TEST_F(RemoveTree, EverythingGoesAndIsCounted) {
  dir("tree/a/b");
  dir("tree/c");
  file("tree/one");
  file("tree/a/b/two\nlines");
  const TreeRemoval removal = remove();
  EXPECT_TRUE(removal.gone);
  EXPECT_EQ(removal.removed, 6U);
  EXPECT_EQ(removal.faults, 0U);
  EXPECT_FALSE(there("tree"));
}

TEST_F(RemoveTree, WhatIsNotThereIsGone) { EXPECT_TRUE(remove().gone); }

TEST_F(RemoveTree, ALinkGoesAndItsTargetStays) {
  dir("precious");
  file("precious/file");
  dir("tree/inside");
  fs::create_directory_symlink(at("precious"), at("tree/inside/link"));
  fs::create_directory_symlink(at("precious"), at("other"));
  EXPECT_TRUE(remove().gone);
  EXPECT_TRUE(remove("other").gone);
  EXPECT_TRUE(there("precious/file"));
}

TEST_F(RemoveTree, ADeepTreeNeedsFewDescriptors) {
  deep("tree", 2'000);
  struct rlimit64 old{};
  ASSERT_EQ(::prlimit64(0, RLIMIT_NOFILE, nullptr, &old), 0);
  const rlimit64 few{.rlim_cur = 100, .rlim_max = old.rlim_max};
  ASSERT_EQ(::prlimit64(0, RLIMIT_NOFILE, &few, nullptr), 0);
  const TreeRemoval removal = remove();
  ASSERT_EQ(::prlimit64(0, RLIMIT_NOFILE, &old, nullptr), 0);
  EXPECT_TRUE(removal.gone);
  EXPECT_EQ(removal.removed, 2'001U);
  EXPECT_EQ(removal.faults, 0U);
}

TEST_F(RemoveTree, ADirectoryThatNobodyMayReadOrChangeGoesToo) {
  dir("tree/closed/below");
  file("tree/closed/file");
  dir("tree/read-only");
  file("tree/read-only/file");
  fs::permissions(at("tree/closed"), fs::perms::none);
  fs::permissions(at("tree/read-only"), fs::perms::owner_read | fs::perms::owner_exec);
  fs::permissions(tmp_.path(), fs::perms::all);
  const int code = testing::in_child([&] {
    if (::geteuid() == 0) {
      if (::lchown(at("tree").c_str(), 65534, 65534) != 0) return 2;
      for (const auto& entry : fs::recursive_directory_iterator(at("tree"))) {
        if (::lchown(entry.path().c_str(), 65534, 65534) != 0) return 3;
      }
      if (!testing::become_nobody()) return 4;
    }
    const TreeRemoval removal = remove();
    return removal.gone && removal.faults == 0 ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_FALSE(there("tree"));
}

TEST_F(RemoveTree, AMountInsideStaysAndTheRestGoes) {
  dir("tree/mounted");
  dir("tree/other");
  file("tree/other/file");
  dir("precious");
  file("precious/file");
  for (const char* missing : {"", "openat2"}) {
    dir("tree/other");
    const int code = testing::in_child([&] {
      if (::unshare(CLONE_NEWNS) != 0 ||
          ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
          ::mount(at("precious").c_str(), at("tree/mounted").c_str(), nullptr, MS_BIND, nullptr) !=
              0) {
        return testing::kCannotTry;
      }
      const testing::MissingCalls calls{{missing, ENOSYS}};
      testing::OldKernel old(calls);
      const testing::ScopedCallHook hook(old);
      const TreeRemoval removal = remove();
      if (removal.gone || removal.faults != 1) return 1;
      const TreeFault& fault = removal.first_faults.front();
      return fault.cause == "is-mount" && fault.path == "tree/mounted" ? 0 : 2;
    });
    if (code == testing::kCannotTry) GTEST_SKIP() << "no mount namespace can be made";
    EXPECT_EQ(code, 0) << missing;
    EXPECT_TRUE(there("precious/file"));
    EXPECT_TRUE(there("tree/mounted"));
    EXPECT_FALSE(there("tree/other"));
  }
}

TEST_F(RemoveTree, OneThatStaysIsToldOnceAlsoWhereDeepOnesWereMoved) {
  deep("tree", 200);
  dir("tree/mounted");
  dir("precious");
  const int code = testing::in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount(at("precious").c_str(), at("tree/mounted").c_str(), nullptr, MS_BIND, nullptr) !=
            0) {
      return testing::kCannotTry;
    }
    return remove().faults == 1 ? 0 : 1;
  });
  if (code == testing::kCannotTry) GTEST_SKIP() << "no mount namespace can be made";
  EXPECT_EQ(code, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(at("tree")), fs::directory_iterator()), 1);
}

TEST_F(RemoveTree, AFlagEndsItBetweenDirectories) {
  dir("tree/a");
  Flag stop;
  stop.raise();
  const TreeRemoval removal = remove_tree(tmp_.dir(), *SafeName::make("tree"), &stop);
  EXPECT_TRUE(removal.stopped);
  EXPECT_FALSE(removal.gone);
  EXPECT_TRUE(remove().gone);
}

TEST_F(RemoveTree, EveryFailingCallIsCountedAndNothingOutsideIsTouched) {
  const std::size_t runs = testing::fault_sweep({
      .prepare =
          [&] {
            tmp_.clear();
            dir("precious");
            file("precious/file");
            dir("tree/a/b");
            file("tree/a/file");
            fs::create_directory_symlink(at("precious"), at("tree/link"));
          },
      .body = [&] { return remove().gone; },
      .check =
          [&](const testing::SweepCase&, bool gone) {
            EXPECT_EQ(gone, !there("tree"));
            EXPECT_TRUE(there("precious/file"));
            EXPECT_TRUE(remove().gone);
          },
  });
  EXPECT_GT(runs, 20U);
}

}  // namespace
}  // namespace holdfast::os
