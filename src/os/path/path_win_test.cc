// SPDX-License-Identifier: Apache-2.0
#include "os/path/path_win.h"

#include <gtest/gtest.h>

#include "os/dir/dir.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(PathWin, PathsBecomeAbsoluteWithBackslashesAndNoTrailingOne) {
  EXPECT_EQ(absolute_path("C:/a/b").value(), R"(C:\a\b)");
  EXPECT_EQ(absolute_path(R"(C:\a\.\x\..\b\)").value(), R"(C:\a\b)");
  EXPECT_EQ(absolute_path("C:/").value(), R"(C:\)");
  EXPECT_EQ(absolute_path(R"(\\?\C:\a)").value(), R"(C:\a)");
  EXPECT_EQ(absolute_path(R"(\\server\share\a)").value(), R"(\\server\share\a)");
}

TEST(PathWin, DevicesStreamsAndNulBytesAreRefused) {
  for (const std::string_view path : {R"(\\.\PhysicalDrive0)", "NUL", "C:/a/file:stream",
                                      R"(\\?\C:\a\nul)", R"(\\?\C:\a\b.)", R"(\\?\Volume{0}\a)"}) {
    const auto absolute = absolute_path(path);
    ASSERT_FALSE(absolute) << path << " became " << *absolute;
    EXPECT_EQ(absolute.error().cause, "unsafe-name");
  }
  EXPECT_EQ(absolute_path(std::string_view("C:/a\0b", 6)).error().cause, "unsafe-name");
  EXPECT_EQ(absolute_path("C:/\xff").error().cause, "not-utf8");
  EXPECT_EQ(absolute_path("").error().code, ErrorCode::kNotFound);
}

TEST(PathWin, TheSystemGetsTheFormWithoutLimits) {
  EXPECT_EQ(extended_path(R"(C:\a)").value(), LR"(\\?\C:\a)");
  EXPECT_EQ(extended_path(R"(\\server\share\a)").value(), LR"(\\?\UNC\server\share\a)");
  EXPECT_EQ(plain_path(LR"(\\?\C:\a)"), R"(C:\a)");
  EXPECT_EQ(plain_path(LR"(\\?\UNC\server\share\a)"), R"(\\server\share\a)");
}

// What keeps a path below an open Dir leading to that Dir. (That the directories above it stay too
// is NTFS's promise; Wine does not keep it.)
TEST(PathWin, AnOpenDirectoryIsNeitherRenamedNorRemoved) {
  const holdfast::testing::TempDir temp;
  ASSERT_EQ(temp.dir().make_dir("d"_name, 0700), Made::kMade);
  {
    const Dir held = temp.dir().open_dir("d"_name).value();
    EXPECT_EQ(temp.dir().rename_new("d"_name, "e"_name).error().code, ErrorCode::kBusy);
    EXPECT_EQ(temp.dir().remove_dir("d"_name).error().code, ErrorCode::kBusy);
  }
  EXPECT_EQ(temp.dir().rename_new("d"_name, "e"_name), Placed::kPlaced);
}

}  // namespace
}  // namespace holdfast::os
