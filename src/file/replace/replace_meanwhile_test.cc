// SPDX-License-Identifier: Apache-2.0
//
// What others do to the file between begin and commit, or in the middle of a commit, and what a
// failure in the middle leaves. Each of these was wrong once.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "file/replace/backup.h"
#include "file/replace/file_fixture.h"
#include "file/replace/in_place.h"
#include "file/replace/status_linux_fixture.h"
#include "format/file/undo_header.h"
#include "os/file/staged_file.h"
#include "os/machine/machine_id.h"
#include "os/machine/sha256.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::file {
namespace {

using ReplaceMeanwhileNames = std::vector<std::string>;

// Fails the n-th call of a name, once.
class FailNth final : public testing::CallHook {
 public:
  FailNth(std::string name, int nth, int os_code)
      : name_(std::move(name)), left_(nth), os_code_(os_code) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name != name_ || --left_ != 0) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = os_code_};
  }

 private:
  std::string name_;
  int left_;
  int os_code_;
};

class Meanwhile : public FileFixture {
 protected:
  // What a write in place that died leaves: a torn file, and the undo file with the old content.
  void leave_undo(std::string_view old, std::string_view torn, bool other_boot = false) const {
    put("f", old, 0640);
    const struct stat info = status_of(at("f"));
    UndoHeader header{.boot = *os::boot_id(),
                      .device = info.st_dev + (other_boot ? 1 : 0),
                      .inode = info.st_ino,
                      .mode = 0640,
                      .size = old.size(),
                      .sha256 = os::sha256(old)};
    if (other_boot) header.boot.bytes[0] ^= 1;
    put(".f.hf-undo", encode_undo_header(header) + std::string(old), 0600);
    const int fd = ::open(at("f").c_str(), O_WRONLY | O_TRUNC);
    ASSERT_EQ(::write(fd, torn.data(), torn.size()), static_cast<ssize_t>(torn.size()));
    ::close(fd);
  }
  [[nodiscard]] Result<Replacement> begin(ReplaceOptions options) const {
    options.durability = Durability::kNone;
    auto job = Replacement::begin(at("f"), std::move(options));
    EXPECT_TRUE(job) << to_sentence(job.error());
    EXPECT_TRUE(job->write("new"));
    return job;
  }
  [[nodiscard]] std::vector<std::string> kept() const {
    std::vector<std::string> contents;
    for (const std::string& name : names()) {
      if (name == os::kDirLockName.text()) continue;  // as long as the job lives
      const bool backup = is_backup_of(name, *os::SafeName::make("f"));
      if (backup || name.starts_with("f.cut-") || os::is_stage_name(name)) {
        contents.push_back(content(name));
      }
    }
    return contents;
  }
};

TEST_F(Meanwhile, AWriteInPlaceThatIsCutShortIsPutBackAndNotBuiltUpon) {
  put("f", "old");
  auto edit = begin({.base = Base::kAsRead});
  ASSERT_TRUE(edit);
  leave_undo("old", "trn");
  EXPECT_EQ(cause_of(edit->commit()), "changed-meanwhile");
  EXPECT_EQ(content("f"), "old");
  EXPECT_EQ(mode("f"), 0640U);
  EXPECT_EQ(kept(), ReplaceMeanwhileNames{"trn"});
}

TEST_F(Meanwhile, ABlindWriteReplacesWhatWasPutBack) {
  put("f", "old");
  auto job = begin({});
  ASSERT_TRUE(job);
  leave_undo("old", "to");
  const auto done = job->commit();
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(done->old_digest, os::sha256("old"));
  EXPECT_EQ(content("f"), "new");
}

TEST_F(Meanwhile, AnUndoFileOfAnEarlierBootIsKnownByTheInode) {
  leave_undo("old", "torn", true);
  EXPECT_TRUE(replace(at("f"), "old", {.durability = Durability::kNone}));
  EXPECT_EQ(content("f"), "old");
}

TEST_F(Meanwhile, WhatSomebodyMendedByHandIsKeptBeforeTheOldIsPutBack) {
  leave_undo("old", "torn");
  const int fd = ::open(at("f").c_str(), O_WRONLY | O_TRUNC);
  ASSERT_EQ(::write(fd, "precious", 8), 8);
  ::close(fd);
  const auto done = replace(at("f"), "new", {.durability = Durability::kNone});
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(done->old_digest, os::sha256("old"));
  EXPECT_EQ(kept(), ReplaceMeanwhileNames{"precious"});
}

TEST_F(Meanwhile, AnUndoFileThatOthersCouldWriteIsNotBelieved) {
  leave_undo("old", "torn");
  ASSERT_EQ(::chmod(at(".f.hf-undo").c_str(), 0666), 0);
  EXPECT_EQ(cause_of(replace(at("f"), "new", {.durability = Durability::kNone})), "undo-not-ours");
  EXPECT_EQ(content("f"), "torn");
}

TEST_F(Meanwhile, NamesOfTheFarFutureNeitherHangNorCostABackup) {
  put("f", "old");
  for (const char* planted : {"f.bak-22611231T235959.999Z", "f.bak-99999999T999999.999Z"}) {
    put(planted, "planted");
  }
  const auto done = replace(at("f"), "new", {.durability = Durability::kNone, .backups = 1});
  ASSERT_TRUE(done && done->backup);
  EXPECT_EQ(content(*done->backup), "old");
}

TEST_F(Meanwhile, ADirectoryThatWasMovedAwayIsNotWrittenInto) {
  ASSERT_EQ(::mkdir(at("d").c_str(), 0755), 0);
  put("d/f", "old");
  auto job = Replacement::begin(at("d/f"), {.durability = Durability::kNone});
  ASSERT_TRUE(job && job->write("new"));
  ASSERT_EQ(::rename(at("d").c_str(), at("away").c_str()), 0);
  ASSERT_EQ(::mkdir(at("d").c_str(), 0755), 0);
  EXPECT_EQ(cause_of(job->commit()), "changed-meanwhile");
  EXPECT_EQ(content("away/f"), "old");
  EXPECT_EQ(content("d/f"), "(absent)");
}

TEST_F(Meanwhile, WithoutAnExchangeTheBackupIsThereBeforeTheRename) {
  put("f", "old");
  class NoExchange final : public testing::CallHook {
   public:
    testing::Fate before(const testing::CallSite& call) override {
      if (call.name == "renameat2_exchange") {
        return {.kind = testing::Fate::Kind::kFail, .os_code = EINVAL};
      }
      const bool copy_fails = call.name == "linkat" && ++links_ == 2;  // the first names the stage
      if (copy_fails) return {.kind = testing::Fate::Kind::kFail, .os_code = ENOSPC};
      return {};
    }

   private:
    int links_ = 0;
  };
  NoExchange kernel;
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EQ(code_of(replace(at("f"), "new", {.durability = Durability::kNone, .backups = 1})),
            ErrorCode::kIo);
  EXPECT_EQ(content("f"), "old");
}

TEST_F(Meanwhile, AFailureBeforeTheUndoFileHasItsNameRemovesNobodysUndo) {
  put("f", "old");
  put(".f.hf-undo", "somebody's, and not to be understood", 0600);
  const auto target = locate(at("f"), Links::kRefuse);
  const auto old = look_at(*target, Links::kRefuse);
  put("staged", "new");
  const auto staged = target->dir.open_file(*os::SafeName::make("staged"), os::Access::kRead);
  FailNth fails("fsync", 1, EIO);
  {
    const testing::ScopedCallHook hook(fails);
    const auto written = write_in_place(
        *target, {.old = **old, .old_digest = os::sha256("old"), .staged = **staged, .size = 3});
    EXPECT_FALSE(written);
  }
  EXPECT_EQ(content(".f.hf-undo"), "somebody's, and not to be understood");
  EXPECT_EQ(content("f"), "old");
}

TEST_F(Meanwhile, ABackupThatCannotBeKeptIsNotLost) {
  put("f", "old");
  FailNth fails("renameat2", 1, ENOSPC);  // the exchange is counted apart
  const testing::ScopedCallHook hook(fails);
  const auto done = replace(at("f"), "new", {.durability = Durability::kNone, .backups = 1});
  ASSERT_TRUE(done);
  ASSERT_TRUE(done->trouble);
  EXPECT_EQ(done->trouble->cause, "backup-not-kept");
  EXPECT_TRUE(done->committed);
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(kept(), ReplaceMeanwhileNames{"old"});
}

TEST_F(Meanwhile, ABackupThatComesFirstIsThereBeforeAnythingChanges) {
  put("f", "old", 0640);
  ReplaceOptions options{.durability = Durability::kNone};
  options.backups = 1;
  options.backup_first = true;
  {
    FailNth fails("fsync", 1, ENOSPC);
    const testing::ScopedCallHook hook(fails);
    const auto refused = replace(at("f"), "new", options);
    EXPECT_EQ(code_of(refused), ErrorCode::kIo);
    EXPECT_EQ(content("f"), "old");
  }
  EXPECT_TRUE(replace(at("f"), "new", options));
  EXPECT_EQ(kept(), ReplaceMeanwhileNames{"old"});
}

TEST_F(Meanwhile, TroubleBeforeTheChangeIsNeverNotDurable) {
  put("f", "old");
  for (int nth = 1; nth <= 6; ++nth) {
    put("f", "old");
    FailNth fails("fsync", nth, EIO);
    const testing::ScopedCallHook hook(fails);
    const auto done = replace(at("f"), "new", {.how = How::kInPlace, .backups = 1});
    if (done) continue;
    EXPECT_NE(done.error().code, ErrorCode::kNotDurable) << nth;
    EXPECT_EQ(content("f"), "old") << nth;
  }
}

TEST_F(Meanwhile, OwnerAndAttributesCannotBeAskedForInPlace) {
  put("f", "old");
  EXPECT_EQ(code_of(replace(at("f"), "new", {.owner = Owner{}, .how = How::kInPlace})),
            ErrorCode::kUsage);
  EXPECT_EQ(
      code_of(replace(at("f"), "new", {.meta = Meta::kPin, .mode = 0600, .how = How::kInPlace})),
      ErrorCode::kUsage);
  EXPECT_EQ(content("f"), "old");
}

TEST_F(Meanwhile, ALinkIsNotAbsent) {
  ASSERT_EQ(::symlink("elsewhere", at("f").c_str()), 0);
  ReplaceOptions options{.links = Links::kReplace, .durability = Durability::kNone};
  options.expect = Expectation{};
  EXPECT_EQ(cause_of(replace(at("f"), "new", options)), "if-hash");
}

TEST_F(Meanwhile, AHardLinkThatIsMadeIsNotBroken) {
  put("f", "old");
  auto job = begin({});
  ASSERT_TRUE(job);
  ASSERT_EQ(::link(at("f").c_str(), at("twin").c_str()), 0);
  EXPECT_EQ(cause_of(job->commit()), "hard-linked");
  EXPECT_EQ(content("f"), "old");
}

TEST_F(Meanwhile, AnAttributeThatIsSetIsKept) {
  put("f", "old");
  if (::setxattr(at("f").c_str(), "user.probe", "x", 1, 0) != 0) {
    GTEST_SKIP() << "no extended attributes on this file system";
  }
  // Set in the last moment: right before the look under the lock.
  class Setter final : public testing::CallHook {
   public:
    explicit Setter(std::string path) : path_(std::move(path)) {}
    testing::Fate before(const testing::CallSite& call) override {
      if (call.name == "flock" && !done_) {
        done_ = true;
        EXPECT_EQ(::setxattr(path_.c_str(), "user.late", "y", 1, 0), 0);
      }
      return {};
    }

   private:
    std::string path_;
    bool done_ = false;
  };
  auto job = begin({});
  ASSERT_TRUE(job);
  Setter setter(at("f"));
  {
    const testing::ScopedCallHook hook(setter);
    ASSERT_TRUE(job->commit());
  }
  char value[4] = {};
  EXPECT_EQ(::getxattr(at("f").c_str(), "user.late", value, sizeof(value)), 1);
  EXPECT_EQ(content("f"), "new");
}

TEST_F(Meanwhile, ANewFileWearsNothingOfOneThatWasRemoved) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs the right to give files away";
  put("f", "old", 0640);
  ASSERT_EQ(::chown(at("f").c_str(), 4711, 4711), 0);
  class Remover final : public testing::CallHook {
   public:
    explicit Remover(std::string path) : path_(std::move(path)) {}
    testing::Fate before(const testing::CallSite& call) override {
      if (call.name == "flock" && !std::exchange(done_, true)) ::unlink(path_.c_str());
      return {};
    }

   private:
    std::string path_;
    bool done_ = false;
  };
  auto job = begin({.foreign_owner = ForeignOwner::kAccept});
  ASSERT_TRUE(job);
  Remover remover(at("f"));
  {
    const testing::ScopedCallHook hook(remover);
    ASSERT_TRUE(job->commit());
  }
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(status_of(at("f")).st_uid, 0U);
}

TEST_F(Meanwhile, ACopyKeepsTheAttributes) {
  put("f", "old");
  if (::setxattr(at("f").c_str(), "user.note", "kept", 4, 0) != 0) {
    GTEST_SKIP() << "no extended attributes on this file system";
  }
  const auto done = replace(at("f"), "new", {.how = How::kInPlace, .backups = 1});
  ASSERT_TRUE(done && done->backup);
  char value[8] = {};
  EXPECT_EQ(::getxattr(at(*done->backup).c_str(), "user.note", value, sizeof(value)), 4);
}

}  // namespace
}  // namespace holdfast::file
