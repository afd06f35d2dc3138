// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "os/process/pidfd.h"
#include "testing/platform.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

// A child whose descriptor 1 is `end`, for as long as this lives.
class Printer {
 public:
  explicit Printer(const Handle& end) : pid_(::fork()) {
    if (pid_ == 0) {
      ::dup2(static_cast<int>(end.get()), 1);
      if (::write(1, "kept", 4) != 4) ::_exit(1);
      for (;;) ::pause();
    }
    pin_ = std::move(**open_pidfd(Pid{pid_}));
    // It has written once the pipe has something.
  }
  ~Printer() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;

  [[nodiscard]] Result<std::optional<Handle>> reopen() const {
    return reopen_pipe(Pid{pid_}, pin_, 1);
  }

 private:
  pid_t pid_;
  Handle pin_;
};

TEST(ReopenPipe, WhatWasPrintedWhileNobodyReadIsThere) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  Pipe pipe = make_pipe().value();
  const Handle end = unbreakable_end(std::move(pipe.write_end));
  const Printer printer(end);
  std::array<char, 1> first{};
  ASSERT_EQ(read_pipe(pipe.read_end, first).value(), 1U);  // so it has written
  pipe.read_end.reset();
  const auto again = printer.reopen();
  ASSERT_TRUE(again && *again);
  std::array<char, 8> rest{};
  EXPECT_EQ(read_pipe(**again, rest).value(), 3U);
  EXPECT_EQ(std::string(rest.data(), 3), "ept");
}

TEST(ReopenPipe, APipeOfTheProcessesOwnIsLeftAlone) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Pipe pipe = make_pipe().value();
  const Printer printer(pipe.write_end);
  std::array<char, 4> bytes{};
  ASSERT_EQ(read_pipe(pipe.read_end, bytes).value(), 4U);
  const auto again = printer.reopen();
  ASSERT_TRUE(again);
  EXPECT_FALSE(*again);
}

class FifoTest : public ::testing::Test {
 protected:
  std::string take(const Handle& fifo) {
    std::array<char, 64> buffer{};
    return {buffer.data(), *take_from(fifo, buffer)};
  }
  std::string cause(const Result<Handle>& result) { return result ? "" : result.error().cause; }

  testing::TempDir tmp_;
};

TEST_F(FifoTest, WhatIsPutInIsTakenOut) {
  const Handle fifo = *make_fifo(tmp_.dir(), "f"_name);
  EXPECT_EQ(take(fifo), "");
  EXPECT_EQ(*put_into(tmp_.dir(), "f"_name, "one\n"), Put::kPut);
  EXPECT_EQ(*put_into(tmp_.dir(), "f"_name, "two\n"), Put::kPut);
  EXPECT_EQ(take(fifo), "one\ntwo\n");
  EXPECT_EQ(take(fifo), "");  // not the end, though every writer is gone
}

TEST_F(FifoTest, ModeIsPrivateWhateverTheUmask) {
  const mode_t before = ::umask(0);
  const auto open_umask = make_fifo(tmp_.dir(), "f"_name);
  ::umask(0777);
  const auto closed_umask = make_fifo(tmp_.dir(), "g"_name);
  ::umask(before);
  EXPECT_TRUE(open_umask);
  EXPECT_EQ(tmp_.dir().info("f"_name)->value().mode, 0600U);
  if (closed_umask) {  // without rights over the mode, opening it is refused
    EXPECT_EQ(tmp_.dir().info("g"_name)->value().mode, 0600U);
  }
}

TEST_F(FifoTest, NobodyReadsOneThatIsClosedOrGone) {
  EXPECT_EQ(*put_into(tmp_.dir(), "f"_name, "x"), Put::kNobodyReads);
  {
    const auto fifo = make_fifo(tmp_.dir(), "f"_name);
  }
  EXPECT_EQ(*put_into(tmp_.dir(), "f"_name, "x"), Put::kNobodyReads);
}

TEST_F(FifoTest, AnOldOneIsReplacedAndAnythingElseIsNot) {
  const Handle first = *make_fifo(tmp_.dir(), "f"_name);
  const Handle second = *make_fifo(tmp_.dir(), "f"_name);
  EXPECT_EQ(*put_into(tmp_.dir(), "f"_name, "x"), Put::kPut);
  EXPECT_EQ(take(first), "");
  EXPECT_EQ(take(second), "x");

  std::ofstream(tmp_.path("plain")) << "mine";
  EXPECT_EQ(cause(make_fifo(tmp_.dir(), "plain"_name)), "not-a-fifo");
  EXPECT_EQ(std::filesystem::file_size(tmp_.path("plain")), 4U);
  std::filesystem::create_symlink(tmp_.path("f"), tmp_.path("link"));
  EXPECT_EQ(cause(make_fifo(tmp_.dir(), "link"_name)), "not-a-fifo");
  EXPECT_TRUE(std::filesystem::is_symlink(tmp_.path("link")));
}

TEST_F(FifoTest, NothingIsPutIntoAFileOrThroughALink) {
  const Handle fifo = *make_fifo(tmp_.dir(), "f"_name);
  std::ofstream(tmp_.path("plain")) << "mine";
  EXPECT_EQ(put_into(tmp_.dir(), "plain"_name, "x").error().cause, "not-a-fifo");
  EXPECT_EQ(std::filesystem::file_size(tmp_.path("plain")), 4U);
  std::filesystem::create_symlink("f", tmp_.path("link"));
  EXPECT_EQ(put_into(tmp_.dir(), "link"_name, "x").error().cause, "is-link");
  EXPECT_EQ(take(fifo), "");
}

TEST_F(FifoTest, AFullOneIsBusyAndNothingIsTorn) {
  const Handle fifo = *make_fifo(tmp_.dir(), "f"_name);
  const std::string chunk(kMostAtOnce, 'x');
  int put = 0;
  for (;;) {
    const auto done = put_into(tmp_.dir(), "f"_name, chunk);
    if (!done) {
      EXPECT_EQ(done.error().code, ErrorCode::kBusy);
      break;
    }
    ++put;
  }
  EXPECT_GT(put, 1);
  std::string buffer(1 << 20, '\0');
  EXPECT_EQ(*take_from(fifo, buffer), static_cast<std::size_t>(put) * kMostAtOnce);
  EXPECT_FALSE(put_into(tmp_.dir(), "f"_name, chunk + "y"));
}

}  // namespace
}  // namespace holdfast::os
