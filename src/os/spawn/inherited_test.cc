// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/inherited.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace holdfast::os {
namespace {

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
