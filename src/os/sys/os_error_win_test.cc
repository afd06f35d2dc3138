// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "os/sys/os_error.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {
namespace {

Error error_of(DWORD code) { return os_error("write", "f", static_cast<int>(code)); }

void expect(DWORD win32, std::string_view cause, ErrorCode code) {
  EXPECT_EQ(error_of(win32).cause, cause) << win32;
  EXPECT_EQ(error_of(win32).code, code) << win32;
}

TEST(OsErrorWin, EachFailureHasItsErrnoNameAndTheCodeThatGoesWithIt) {
  expect(ERROR_FILE_NOT_FOUND, "enoent", ErrorCode::kNotFound);
  expect(ERROR_PATH_NOT_FOUND, "enoent", ErrorCode::kNotFound);
  expect(ERROR_DISK_FULL, "enospc", ErrorCode::kIo);
  expect(ERROR_HANDLE_DISK_FULL, "enospc", ErrorCode::kIo);
  expect(ERROR_BROKEN_PIPE, "epipe", ErrorCode::kIo);
  expect(ERROR_SHARING_VIOLATION, "ebusy", ErrorCode::kBusy);
  expect(ERROR_LOCK_VIOLATION, "ebusy", ErrorCode::kBusy);
  expect(ERROR_ACCESS_DENIED, "eacces", ErrorCode::kOsRefused);
  expect(ERROR_WRITE_PROTECT, "erofs", ErrorCode::kOsRefused);
  expect(ERROR_ALREADY_EXISTS, "eexist", ErrorCode::kOsRefused);
  expect(ERROR_FILE_EXISTS, "eexist", ErrorCode::kOsRefused);
}

TEST(OsErrorWin, AServerThatDoesNotAnswerIsNotNotFound) {
  expect(ERROR_BAD_NETPATH, "win32-53", ErrorCode::kOsRefused);
  expect(ERROR_NOT_READY, "enxio", ErrorCode::kIo);
}

TEST(OsErrorWin, TheSystemsSentenceHasNoTrailingDotOrLineEnd) {
  const std::string detail = error_of(ERROR_ACCESS_DENIED).detail;
  ASSERT_FALSE(detail.empty());
  EXPECT_NE(detail.back(), '.');
  EXPECT_NE(detail.back(), '\n');
}

}  // namespace
}  // namespace holdfast::os
