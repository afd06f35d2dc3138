// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "os/spawn/inherited.h"

namespace holdfast::os {
namespace {

using ExecPathPaths = std::vector<std::string>;

TEST(ExecPath, ANameWithASlashIsUsedAsItIs) {
  EXPECT_EQ(exec_candidates("./x", "/bin"), ExecPathPaths{"./x"});
  EXPECT_EQ(exec_candidates("/a/b", "/bin"), ExecPathPaths{"/a/b"});
}

TEST(ExecPath, EntriesAreTriedInOrder) {
  EXPECT_EQ(exec_candidates("x", "/a:rel:/c/"), (ExecPathPaths{"/a/x", "rel/x", "/c/x"}));
}

TEST(ExecPath, AnEmptyEntryIsNotTheCurrentDirectory) {
  EXPECT_EQ(exec_candidates("x", ":/a::/b:"), (ExecPathPaths{"/a/x", "/b/x"}));
  EXPECT_EQ(exec_candidates("x", ""), ExecPathPaths{});
}

TEST(ExecPath, WithoutPathTheSystemsPlacesAreTried) {
  EXPECT_EQ(exec_candidates("x", std::nullopt), (ExecPathPaths{"/bin/x", "/usr/bin/x"}));
}

TEST(ExecPath, AnEmptyNameIsNowhere) { EXPECT_EQ(exec_candidates("", "/a"), ExecPathPaths{}); }

TEST(Inherited, AWritableDescriptorIsTakenOverAndNotPassedOn) {
  const int fd = ::open("/dev/null", O_WRONLY);
  const auto handle = adopt_for_writing(static_cast<std::uint64_t>(fd));
  ASSERT_TRUE(handle);
  EXPECT_EQ(handle->get(), fd);
  EXPECT_EQ(::fcntl(fd, F_GETFD), FD_CLOEXEC);
}

TEST(Inherited, WhatIsNotOursToWriteIsRefused) {
  const int fd = ::open("/dev/null", O_RDONLY);
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, static_cast<std::uint64_t>(fd),
        std::uint64_t{987654}, std::uint64_t{1} << 40U}) {
    const auto handle = adopt_for_writing(number);
    ASSERT_FALSE(handle) << number;
    EXPECT_EQ(handle.error().code, ErrorCode::kUsage);
    EXPECT_EQ(handle.error().cause, "bad-descriptor");
  }
  ::close(fd);
}

}  // namespace
}  // namespace holdfast::os
