// SPDX-License-Identifier: Apache-2.0
#include "os/sys/handle.h"

#include <gtest/gtest.h>
#include <windows.h>

#include "os/dir/dir.h"
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

}  // namespace
}  // namespace holdfast::os
