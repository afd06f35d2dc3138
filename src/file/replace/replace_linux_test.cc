// SPDX-License-Identifier: Apache-2.0
//
// What only Linux has: the umask, set-id bits, FIFOs, owners by number, flock.
#include "file/replace/replace.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <cerrno>
#include <functional>

#include "file/replace/backup.h"
#include "file/replace/commit_lock.h"
#include "file/replace/file_fixture.h"
#include "file/replace/status_linux_fixture.h"
#include "file/replace/swap.h"
#include "file/replace/target.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

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

Result<> look_at_mode(mode_t mode) {
  const testing::TempDir temp;
  EXPECT_EQ(::chmod(temp.path().c_str(), mode), 0);
  return check_dir(HF_TRY(os::Dir::open(temp.path())), "f", TrustDir::kOnlyOwn);
}

TEST(DirTrust, OnlyADirectoryThatNobodyElseWritesToIsTrusted) {
  for (const mode_t mode : {0700U, 0755U, 02755U, 01755U}) EXPECT_TRUE(look_at_mode(mode)) << mode;
  for (const mode_t mode : {0777U, 01777U, 0702U}) {
    const auto looked = look_at_mode(mode);
    ASSERT_FALSE(looked) << mode;
    EXPECT_EQ(looked.error().code, ErrorCode::kRefused);
    EXPECT_EQ(looked.error().cause, "untrusted-dir");
  }
}

TEST(DirTrust, ADirectoryOfAnotherUserIsRefusedUnlessAskedFor) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
  const testing::TempDir temp;
  ASSERT_EQ(::chown(temp.path().c_str(), 4711, 4711), 0);
  const auto dir = os::Dir::open(temp.path());
  ASSERT_TRUE(dir);
  const auto looked = check_dir(*dir, "f", TrustDir::kOnlyOwn);
  ASSERT_FALSE(looked);
  EXPECT_NE(looked.error().detail.find("owner 4711:4711, mode 0700"), std::string::npos)
      << looked.error().detail;
  EXPECT_TRUE(check_dir(*dir, "f", TrustDir::kAny));
}

TEST(DirTrust, AReplacementAsksBeforeAnythingIsMade) {
  const testing::TempDir temp;
  ASSERT_EQ(::chmod(temp.path().c_str(), 0777), 0);
  const auto refused = replace(temp.path() + "/f", "new", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().cause, "untrusted-dir");
  ReplaceOptions options;
  options.trust = TrustDir::kAny;
  EXPECT_TRUE(replace(temp.path() + "/f", "new", options));
}

// What only Linux has: a time of change beside that of the content, flock, owners by number.
constexpr std::string_view kStageSweepLinuxStage = ".hf-stage-0123456789abcdef0123456789abcdef";

class StageSweepOnLinux : public FileFixture {
 protected:
  // The time of a change cannot be set, so the test is some time later.
  [[nodiscard]] std::uint64_t swept_after(Duration age) const {
    const WallTime later = wall_time_from_unix(::time(nullptr), 0) + age;
    const auto count = sweep_stages(tmp_.dir(), later, Duration::zero());
    EXPECT_TRUE(count) << to_sentence(count.error());
    return count ? count->removed : 999;
  }
};

constexpr auto kStageSweepLinuxOld = std::chrono::hours(2);

TEST_F(StageSweepOnLinux, ADisplacedFileIsAsOldAsItsDisplacementNotAsItsContent) {
  put(kStageSweepLinuxStage, "from last year");
  const timespec long_ago[2] = {{.tv_sec = 1'000'000'000, .tv_nsec = 0},
                                {.tv_sec = 1'000'000'000, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, at(kStageSweepLinuxStage).c_str(), long_ago, 0), 0);
  EXPECT_EQ(swept_after(Duration::zero()), 0U);
}

TEST_F(StageSweepOnLinux, OneThatIsStillBeingFilledStays) {
  put(kStageSweepLinuxStage, "left over");
  const int fd = ::open(at(kStageSweepLinuxStage).c_str(), O_RDONLY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_EQ(swept_after(kStageSweepLinuxOld), 0U);
  ::close(fd);
  EXPECT_EQ(swept_after(kStageSweepLinuxOld), 1U);
}

TEST_F(StageSweepOnLinux, OneOfAnotherUserOrWithAnotherNameStays) {
  put(kStageSweepLinuxStage, "left over");
  ASSERT_EQ(::link(at(kStageSweepLinuxStage).c_str(), at("twin").c_str()), 0);
  EXPECT_EQ(swept_after(kStageSweepLinuxOld), 0U);
  ASSERT_EQ(::unlink(at("twin").c_str()), 0);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(at(kStageSweepLinuxStage).c_str(), 4711, 4711), 0);
    EXPECT_EQ(swept_after(kStageSweepLinuxOld), 0U);
  }
}

// Somebody without our lock replaces the file at the worst moment: between our comparison and our
// exchange of names, and again before we exchange back.
// Does something right before the n-th exchange of names, by calls that are not seen by the table.
class Meddler final : public testing::CallHook {
 public:
  std::vector<std::function<void()>> before_exchange;
  bool has_exchange = true;

  testing::Fate before(const testing::CallSite& call) override {
    if (call.name != "renameat2_exchange") return {};
    if (!has_exchange) return {.kind = testing::Fate::Kind::kFail, .os_code = EINVAL};
    if (exchanges_++ < before_exchange.size()) before_exchange[exchanges_ - 1]();
    return {};
  }

 private:
  std::size_t exchanges_ = 0;
};

class Swap : public FileFixture {
 protected:
  void SetUp() override {
    put("f", "old");
    if (::renameat2(AT_FDCWD, at("f").c_str(), AT_FDCWD, at("f").c_str(), RENAME_EXCHANGE) != 0) {
      GTEST_SKIP() << "no exchange of names on this file system";
    }
  }
  // As an editor saves.
  [[nodiscard]] std::function<void()> save(const std::string& content) const {
    return [this, content] {
      put("draft", content);
      ASSERT_EQ(::rename(at("draft").c_str(), at("f").c_str()), 0);
    };
  }
  // Our content was made from the old one.
  [[nodiscard]] Result<Replaced> edit(Meddler& meddler) const {
    auto job =
        Replacement::begin(at("f"), {.durability = Durability::kNone, .base = Base::kAsRead});
    EXPECT_TRUE(job && job->write("made from old"));
    const testing::ScopedCallHook hook(meddler);
    return job->commit();
  }
};

TEST_F(Swap, AnEditorsSaveBetweenComparisonAndExchangeStays) {
  Meddler meddler;
  meddler.before_exchange = {save("the editor's")};
  const auto done = edit(meddler);
  EXPECT_EQ(code_of(done), ErrorCode::kBusy);
  EXPECT_EQ(cause_of(done), "changed-meanwhile");
  EXPECT_EQ(content("f"), "the editor's");
  EXPECT_EQ(names(), ReplaceLinuxNames{"f"});
}

TEST_F(Swap, ALinkThatIsPlantedInThatMomentIsNotFollowedAndStays) {
  put("victim", "victim");
  Meddler meddler;
  meddler.before_exchange = {[&] {
    ASSERT_EQ(::symlink("victim", at("draft").c_str()), 0);
    ASSERT_EQ(::rename(at("draft").c_str(), at("f").c_str()), 0);
  }};
  EXPECT_EQ(cause_of(edit(meddler)), "changed-meanwhile");
  EXPECT_EQ(content("victim"), "victim");
  EXPECT_TRUE(S_ISLNK(status_of(at("f")).st_mode));
  EXPECT_EQ(names(), (ReplaceLinuxNames{"f", "victim"}));
}

TEST_F(Swap, OfTwoSavesWhileItIsUndoneTheNewestStands) {
  Meddler meddler;
  meddler.before_exchange = {save("first save"), save("second save")};
  EXPECT_EQ(cause_of(edit(meddler)), "changed-meanwhile");
  EXPECT_EQ(content("f"), "second save");
  EXPECT_EQ(names(), ReplaceLinuxNames{"f"});
}

TEST_F(Swap, SomebodyWhoExchangesNamesLosesNothing) {
  put("other", "other");
  const auto flip = [&] {
    ASSERT_EQ(
        ::renameat2(AT_FDCWD, at("f").c_str(), AT_FDCWD, at("other").c_str(), RENAME_EXCHANGE), 0);
  };
  Meddler meddler;
  meddler.before_exchange = {flip, flip};
  EXPECT_EQ(cause_of(edit(meddler)), "changed-meanwhile");
  std::vector<std::string> contents;
  for (const std::string& name : names()) contents.push_back(content(name));
  std::ranges::sort(contents);
  EXPECT_EQ(contents, (std::vector<std::string>{"made from old", "old", "other"}));
}

TEST_F(Swap, AFileThatIsRemovedInThatMomentIsAChange) {
  Meddler meddler;
  meddler.before_exchange = {[&] { ASSERT_EQ(::unlink(at("f").c_str()), 0); }};
  EXPECT_EQ(cause_of(edit(meddler)), "changed-meanwhile");
  EXPECT_EQ(names(), ReplaceLinuxNames{});
}

TEST_F(Swap, ABlindWriteTakesWhatTheEditorSavedForTheOldFile) {
  Meddler meddler;
  meddler.before_exchange = {save("the editor's")};
  const testing::ScopedCallHook hook(meddler);
  const auto done = replace(at("f"), "new", {.durability = Durability::kNone, .backups = 1});
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(content(done->backup.value_or("none")), "the editor's");
}

TEST_F(Swap, WithoutAnExchangeTheOldFileIsReplacedByAPlainRename) {
  Meddler meddler;
  meddler.has_exchange = false;
  EXPECT_TRUE(edit(meddler));
  EXPECT_EQ(content("f"), "made from old");
  EXPECT_EQ(names(), ReplaceLinuxNames{"f"});
}

}  // namespace
}  // namespace holdfast::file
