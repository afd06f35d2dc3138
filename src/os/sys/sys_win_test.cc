// SPDX-License-Identifier: Apache-2.0
#include "os/sys/sys_win.h"

#include <gtest/gtest.h>
#include <windows.h>

#include "os/dir/dir.h"
#include "os/sys/handle.h"
#include "os/sys/os_error.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

bool is_inherited(NativeHandle handle) {
  DWORD flags = 0;
  EXPECT_NE(::GetHandleInformation(reinterpret_cast<HANDLE>(handle), &flags), FALSE);
  return (flags & HANDLE_FLAG_INHERIT) != 0;
}

TEST(HandleWin, NoHandleIsInheritedByAChild) {
  const holdfast::testing::TempDir temp;
  EXPECT_FALSE(is_inherited(temp.dir().native()));
  for (const std::uint32_t mode : {0600U, 0644U}) {
    auto file = temp.dir().create_file(mode == 0600U ? "a"_name : "b"_name, mode);
    ASSERT_TRUE(file && *file);
    EXPECT_FALSE(is_inherited((*file)->native()));
  }
  auto opened = temp.dir().open_file("a"_name, Access::kReadWrite);
  ASSERT_TRUE(opened && *opened);
  EXPECT_FALSE(is_inherited((*opened)->native()));
  EXPECT_FALSE(is_inherited(Dir::open_following_links(temp.path()).value().native()));
}

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
