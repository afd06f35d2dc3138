// SPDX-License-Identifier: Apache-2.0
#include "os/path/path_win.h"

#include <gtest/gtest.h>

#include <string>

#include "base/printable.h"
#include "os/dir/dir.h"
#include "os/path/safe_name.h"
#include "os/path/wide_win.h"
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

TEST(Wide, TextOfEveryLengthGoesThereAndBack) {
  for (const std::string_view text : {"", "a", "ä", "€", "😀", "aä€😀z", "\u07FF\u0800\uFFFF"}) {
    const auto wide = to_wide(text);
    ASSERT_TRUE(wide) << text;
    EXPECT_EQ(from_wide(*wide), text);
  }
  EXPECT_EQ(*to_wide("😀"), L"\xD83D\xDE00");
  EXPECT_EQ(*to_wide("€"), L"\x20AC");
}

TEST(Wide, ANulByteIsText) {
  const std::string_view text("a\0b", 3);
  EXPECT_EQ(from_wide(*to_wide(text)), text);
}

TEST(Wide, WhatIsNotUtf8IsRefusedNotMended) {
  for (const std::string_view text :
       {"\xff", "a\x80", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    const auto wide = to_wide(text);
    ASSERT_FALSE(wide);
    EXPECT_EQ(wide.error().cause, "not-utf8");
  }
}

TEST(Wide, AnUnpairedSurrogateComesOutAsWhatNoStrictReaderTakes) {
  for (const std::wstring_view wide : {L"a\xD800", L"\xD800z", L"\xDC00", L"\xDE00\xD83D"}) {
    const std::string bytes = from_wide(wide);
    EXPECT_FALSE(is_utf8(bytes));
    EXPECT_FALSE(to_wide(bytes));
  }
  EXPECT_NE(from_wide(L"\xD800"), from_wide(L"\xD801"));
}

TEST(SafeNameWin, CharactersThatWindowsReadsAsSomethingElseAreRefused) {
  for (const char c : std::string(R"(\:*?"<>|)") + "\x01\x1f\n") {
    EXPECT_FALSE(SafeName::make(std::string("a") + c + "b")) << c;
  }
  EXPECT_FALSE(SafeName::make("file:stream"));
  EXPECT_FALSE(SafeName::make("file::$DATA"));
}

TEST(SafeNameWin, ATrailingDotOrSpaceIsRefused) {
  for (const std::string_view text : {"a.", "a ", "a. ", "...", " ", "con."}) {
    EXPECT_FALSE(SafeName::make(text)) << text;
  }
  EXPECT_TRUE(SafeName::make(" a"));
}

TEST(SafeNameWin, DevicesAreRefusedInAnyCaseAndWithAnyExtension) {
  for (const std::string_view text :
       {"CON", "prn", "Aux", "NUL", "nul.txt", "nul.tar.gz", "con .txt", "com1", "COM9.log", "com0",
        "lpt1", "LPT9", "CONIN$", "conout$", "com¹", "LPT².x", "com³"}) {
    EXPECT_FALSE(SafeName::make(text)) << text;
  }
}

TEST(SafeNameWin, NamesThatOnlyLookLikeDevicesAreTaken) {
  for (const std::string_view text :
       {"console", "null", "com", "com10", "comx", "lpt", "auxiliary", "x.nul", "con-1"}) {
    EXPECT_TRUE(SafeName::make(text)) << text;
  }
}

TEST(SafeNameWin, BytesThatAreNoTextAreRefused) {
  for (const std::string_view text : {"\xff", "a\x80", "\xed\xa0\x80", "\xc0\xaf"}) {
    EXPECT_FALSE(SafeName::make(text));
  }
}

}  // namespace
}  // namespace holdfast::os
