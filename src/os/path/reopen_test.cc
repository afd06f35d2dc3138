// SPDX-License-Identifier: Apache-2.0
#include "os/path/path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class Reopen : public ::testing::Test {
 protected:
  // A file without a name, open for reading and writing; one that lost it where none are born
  // without.
  [[nodiscard]] File unnamed() const {
    int fd = ::open(tmp_.path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) {
      const std::string path = tmp_.path("named");
      fd = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
      EXPECT_EQ(::unlink(path.c_str()), 0);
    }
    return {Handle(fd), "unnamed"};
  }
  [[nodiscard]] static std::size_t descriptors() {
    std::size_t open = 0;
    for (int fd = 0; fd < 256; ++fd) open += ::fcntl(fd, F_GETFD) != -1 ? 1 : 0;
    return open;
  }
  testing::TempDir tmp_;
};

// All that goes through /proc/self/fd answers so.
class NoProc final : public testing::CallHook {
 public:
  testing::Fate before(const testing::CallSite& call) override {
    if (!call.path.starts_with("/proc/")) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = ENOENT};
  }
};

TEST_F(Reopen, AFileWithoutANameIsReadFromItsBeginningThoughOursIsAtItsEnd) {
  File file = unnamed();
  ASSERT_TRUE(file.write_all("all of it"));
  auto again = reopen_for_reading(file);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->read_all(100).value(), "all of it");
  ASSERT_TRUE(file.write_all(", and more"));
  EXPECT_EQ(again->read_all(100).value(), ", and more") << "it is the same file";
}

TEST_F(Reopen, ItCannotBeWrittenThrough) {
  File file = unnamed();
  auto again = reopen_for_reading(file);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->write_all("x"));
  EXPECT_NE(::fcntl(static_cast<int>(again->native()), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(Reopen, AFileThatWasRemovedIsStillReached) {
  const std::string path = tmp_.path("file");
  File file(Handle(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)), path);
  ASSERT_TRUE(file.write_all("old"));
  ASSERT_EQ(::unlink(path.c_str()), 0);
  ::close(::open(path.c_str(), O_CREAT | O_WRONLY, 0600));  // another one under its name
  EXPECT_EQ(reopen_for_reading(file).value().read_all(100).value(), "old");
}

TEST_F(Reopen, WithoutProcItIsRefusedByName) {
  const File file = unnamed();
  const std::size_t before = descriptors();
  NoProc fault;
  const testing::ScopedCallHook hook(fault);
  const auto again = reopen_for_reading(file);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().cause, "no-proc");
  EXPECT_EQ(again.error().code, ErrorCode::kOsRefused);
  EXPECT_EQ(descriptors(), before);
}

}  // namespace
}  // namespace holdfast::os
