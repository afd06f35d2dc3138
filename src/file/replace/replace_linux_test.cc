// SPDX-License-Identifier: Apache-2.0
//
// What only Linux has: the umask, set-id bits, FIFOs, owners by number, flock.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "file/replace/commit_lock.h"
#include "file/replace/file_fixture.h"
#include "file/replace/replace.h"
#include "file/replace/status_linux_fixture.h"

namespace holdfast::file {
namespace {

using ReplaceLinuxNames = std::vector<std::string>;

class ReplaceOnLinux : public FileFixture {};

ReplaceOptions replace_linux_quick() { return {.durability = Durability::kNone}; }

TEST_F(ReplaceOnLinux, ANewFileGetsItsModeByUmaskOrExactlyAsAsked) {
  const mode_t before = ::umask(027);
  EXPECT_TRUE(replace(at("by_umask"), "x", replace_linux_quick()));
  EXPECT_TRUE(replace(at("asked"), "x", {.durability = Durability::kNone, .mode = 0666}));
  ::umask(077);
  EXPECT_TRUE(replace(at("wide"), "x", {.durability = Durability::kNone, .mode = 06775}));
  ::umask(before);
  EXPECT_EQ(mode("by_umask"), 0640U);
  EXPECT_EQ(mode("asked"), 0666U);
  EXPECT_EQ(mode("wide"), 06775U);
}

TEST_F(ReplaceOnLinux, DanglingAndCircularLinksAreRefused) {
  ASSERT_EQ(::symlink("nowhere", at("dangling").c_str()), 0);
  ASSERT_EQ(::symlink("round", at("round").c_str()), 0);
  const ReplaceOptions follow{.links = Links::kFollow, .durability = Durability::kNone};
  EXPECT_EQ(cause_of(replace(at("dangling"), "x", replace_linux_quick())), "is-link");
  EXPECT_EQ(cause_of(replace(at("dangling"), "x", follow)), "dangling-link");
  EXPECT_EQ(cause_of(replace(at("round"), "x", follow)), "too-many-links");
  EXPECT_EQ(names(), (ReplaceLinuxNames{"dangling", "round"}));
}

TEST_F(ReplaceOnLinux, SpecialFilesAreRefused) {
  ASSERT_EQ(::mkfifo(at("fifo").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir(at("dir").c_str(), 0700), 0);
  for (const char* name : {"fifo", "dir"}) {
    EXPECT_EQ(cause_of(replace(at(name), "x", replace_linux_quick())), "not-a-regular-file")
        << name;
  }
  EXPECT_EQ(names(), (ReplaceLinuxNames{"dir", "fifo"}));
}

TEST_F(ReplaceOnLinux, AForeignFileIsRefusedUnlessAskedForAndThenItsOwnerStays) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs the right to give files away";
  put("f", "old", 0640);
  ASSERT_EQ(::chown(at("f").c_str(), 4711, 4712), 0);
  EXPECT_EQ(cause_of(replace(at("f"), "new", replace_linux_quick())), "foreign-owner");
  EXPECT_EQ(content("f"), "old");
  EXPECT_TRUE(replace(at("f"), "new",
                      {.durability = Durability::kNone, .foreign_owner = ForeignOwner::kAccept}));
  EXPECT_EQ(status_of(at("f")).st_uid, 4711U);
  EXPECT_EQ(status_of(at("f")).st_gid, 4712U);
  EXPECT_EQ(mode("f"), 0640U);
}

TEST_F(ReplaceOnLinux, SetUserIdBitsAndAttributesAreKeptOrPinnedAway) {
  put("f", "old", 04755);
  if (::setxattr(at("f").c_str(), "user.note", "kept", 4, 0) != 0) {
    GTEST_SKIP() << "no extended attributes on this file system";
  }
  ASSERT_TRUE(replace(at("f"), "new", replace_linux_quick()));
  EXPECT_EQ(mode("f"), 04755U);
  char value[8] = {};
  EXPECT_EQ(::getxattr(at("f").c_str(), "user.note", value, sizeof(value)), 4);
  ASSERT_TRUE(replace(at("f"), "newer",
                      {.durability = Durability::kNone, .meta = Meta::kPin, .mode = 0600}));
  EXPECT_EQ(mode("f"), 0600U);
  EXPECT_EQ(::getxattr(at("f").c_str(), "user.note", value, sizeof(value)), -1);
}

TEST_F(ReplaceOnLinux, ABusyDirectoryIsNamedWithItsHolder) {
  put("f", "old");
  const int fd = ::open(at(".hf-stage-lock").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  const auto done = replace(
      at("f"), "new", {.durability = Durability::kNone, .wait = std::chrono::milliseconds(20)});
  ::close(fd);
  EXPECT_EQ(cause_of(done), "directory-busy");
  EXPECT_NE(done.error().detail.find("process " + std::to_string(::getpid())), std::string::npos)
      << done.error().detail;
  EXPECT_EQ(content("f"), "old");
  // What a crash leaves of the lock goes with the next change.
  EXPECT_TRUE(replace(at("f"), "new", replace_linux_quick()));
  EXPECT_EQ(names(), ReplaceLinuxNames{"f"});
}

TEST_F(ReplaceOnLinux, WhoMayOnlyReadTheDirectoryCannotHoldItsLock) {
  put("f", "old");
  const int fd = ::open(tmp_.path().c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  ReplaceOptions options = replace_linux_quick();
  options.wait = Duration::zero();
  EXPECT_TRUE(replace(at("f"), "new", options));
  ::close(fd);
  struct stat info{};
  const auto lock = CommitLock::take(tmp_.dir(), Duration::zero());
  ASSERT_TRUE(lock);
  ASSERT_EQ(::stat(at(".hf-stage-lock").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0600U);
}

TEST_F(ReplaceOnLinux, WhoMayWriteToTheDirectoryMayOpenItsLock) {
  struct stat info{};
  ASSERT_EQ(::chmod(tmp_.path().c_str(), 0777), 0);
  const auto lock = CommitLock::take(tmp_.dir(), Duration::zero());
  ASSERT_TRUE(lock);
  ASSERT_EQ(::stat(at(".hf-stage-lock").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0666U);
}

TEST_F(ReplaceOnLinux, ALockWhoseNameWasRemovedIsNoLock) {
  std::optional<CommitLock> first(CommitLock::take(tmp_.dir(), Duration::zero()).value());
  ASSERT_EQ(::unlink(at(".hf-stage-lock").c_str()), 0);
  const auto second = CommitLock::take(tmp_.dir(), Duration::zero());
  ASSERT_TRUE(second);
  first.reset();  // leaves the other's name alone
  EXPECT_EQ(names(), ReplaceLinuxNames{".hf-stage-lock"});
}

TEST_F(ReplaceOnLinux, TheSameContentWithAnotherModeIsAChange) {
  put("f", "same", 0600);
  const auto done = replace(at("f"), "same", {.durability = Durability::kNone, .mode = 0644});
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->changed);
  EXPECT_EQ(mode("f"), 0644U);
}

}  // namespace
}  // namespace holdfast::file
