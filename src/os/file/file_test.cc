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

}  // namespace
}  // namespace holdfast::os
