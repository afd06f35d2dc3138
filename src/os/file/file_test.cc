// SPDX-License-Identifier: Apache-2.0
//
// Transfers as only a hook can bend them: short, or of no byte at all.
#include "os/file/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "os/dir/dir.h"
#include "os/file/stat_without_times.h"
#include "os/stream/stdio.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using testing::Fate;

class Bent final : public testing::CallHook {
 public:
  static constexpr int kCap = 100'000;  // so that a caller that tries for ever ends, too
  explicit Bent(Fate::Kind kind) : kind_(kind) {}
  Fate before(const testing::CallSite& call) override {
    if (call.transfer_bytes == 0 || ++transfers > kCap) return {};
    return {.kind = kind_};
  }
  int transfers = 0;

 private:
  Fate::Kind kind_;
};

class FileLinux : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(file_.write_all("content"));
    bytes_ = std::string(1000, 'x');
  }
  testing::TempDir tmp_;
  File file_ = tmp_.dir().create_file("f"_name, 0600).value().value();
  std::string bytes_;
};

void expect_io(const Result<>& result) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kIo);
  EXPECT_EQ(result.error().cause, "eio");
}

TEST_F(FileLinux, AWriteOfNothingIsAnErrorAndNotALoop) {
  Bent nothing(Fate::Kind::kNothing);
  const testing::ScopedCallHook hook(nothing);
  expect_io(file_.write_all(bytes_));
  expect_io(file_.write_at(0, bytes_));
  expect_io(write_stream(Stream::kOut, bytes_));
  EXPECT_EQ(nothing.transfers, 3);
}

TEST_F(FileLinux, ShortTransfersAreGoneOnWith) {
  Bent half(Fate::Kind::kShorten);
  const testing::ScopedCallHook hook(half);
  ASSERT_TRUE(file_.write_at(0, bytes_));
  EXPECT_EQ(file_.read_at(0, bytes_.size()).value(), bytes_);
  auto reopened = tmp_.dir().open_file("f"_name, Access::kRead).value().value();
  EXPECT_EQ(reopened.read_all(bytes_.size()).value(), bytes_);
  EXPECT_GT(half.transfers, 20);
}

TEST_F(FileLinux, AllocateTakesRealBlocks) {
  constexpr std::uint64_t kSize = 1048576;
  ASSERT_TRUE(file_.allocate(kSize));
  struct stat info{};
  ASSERT_EQ(::stat(tmp_.path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_size, static_cast<off_t>(kSize));
  EXPECT_GE(static_cast<std::uint64_t>(info.st_blocks) * 512, kSize);
}

TEST_F(FileLinux, AFileSystemThatCannotAllocateIsToldAndNotImitated) {
  const testing::MissingCalls missing{{"fallocate", EOPNOTSUPP}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  const auto allocated = file_.allocate(4096);
  ASSERT_FALSE(allocated);
  EXPECT_EQ(allocated.error().code, ErrorCode::kOsRefused);
  EXPECT_EQ(allocated.error().cause, "eopnotsupp");
  EXPECT_EQ(file_.info().value().size, 7U);
}

TEST_F(FileLinux, SetModeIsExactWhateverTheUmask) {
  const mode_t old = ::umask(0777);
  EXPECT_TRUE(file_.set_mode(0644));
  ::umask(old);
  EXPECT_EQ(file_.info().value().mode, 0644U);
}

// The end is found and written to in one step: with a seek before the write, some would be lost.
TEST_F(FileLinux, ConcurrentAppendsAllArrive) {
  constexpr int kWriters = 4;
  constexpr int kLines = 500;
  ASSERT_TRUE(file_.truncate(0));
  for (int writer = 0; writer < kWriters; ++writer) {
    if (::fork() != 0) continue;
    File mine = tmp_.dir().open_file("f"_name, Access::kAppend).value().value();
    bool all = true;
    for (int i = 0; i < kLines; ++i) all = mine.write_all("0123456\n").has_value() && all;
    ::_exit(all ? 0 : 1);
  }
  for (int writer = 0; writer < kWriters; ++writer) {
    int status = -1;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(file_.info().value().size, kWriters * kLines * 8U);
}

class Timeless : public ::testing::Test {
 protected:
  [[nodiscard]] auto open(std::string_view name) const {
    return open_without_times(tmp_.dir(), SafeName::make(name).value(), Access::kReadWrite);
  }
  [[nodiscard]] std::string path(std::string_view name) const {
    return tmp_.dir().path_of(SafeName::make(name).value());
  }
  void make(std::string_view name) const {
    ASSERT_TRUE(tmp_.dir().create_file(SafeName::make(name).value(), 0640).value());
  }

  testing::TempDir tmp_;
};

TEST_F(Timeless, SaysWhatTheFullLookSaysButForTheTimes) {
  make("file");
  ASSERT_EQ(::link(path("file").c_str(), path("second").c_str()), 0);
  const auto opened = open("file").value().value();
  const FileInfo full = opened.file.info().value();
  EXPECT_EQ(opened.info.type, full.type);
  EXPECT_EQ(opened.info.id, full.id);
  EXPECT_EQ(opened.info.links, 2U);
  EXPECT_EQ(opened.info.mode, full.mode);
  EXPECT_EQ(opened.info.uid, full.uid);
  EXPECT_EQ(id_of_path(path("file")).value(), full.id);
}

TEST_F(Timeless, NothingThereIsAnAnswer) {
  EXPECT_FALSE(open("file").value());
  EXPECT_FALSE(id_of_path(path("file")).value());
}

TEST_F(Timeless, WhatIsNoOrdinaryFileIsRefusedAsDirDoes) {
  make("file");
  ASSERT_EQ(::symlink("file", path("link").c_str()), 0);
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir(path("dir").c_str(), 0700), 0);
  EXPECT_EQ(open("link").error().cause, "is-link");
  EXPECT_EQ(open("fifo").error().cause, "not-a-regular-file");
  EXPECT_EQ(open("dir").error().cause, "not-a-regular-file");
  EXPECT_NE(id_of_path(path("link")).value(), id_of_path(path("file")).value());
}

TEST_F(Timeless, WorksWhereAFilterDoesNotKnowTheCall) {
  make("file");
  const FileId id = open("file").value()->info.id;
  const testing::MissingCalls missing{{"statx", ENOSYS}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EQ(open("file").value()->info.id, id);
  EXPECT_EQ(id_of_path(tmp_.dir().path()).value(), tmp_.dir().info().value().id);
}

}  // namespace
}  // namespace holdfast::os
