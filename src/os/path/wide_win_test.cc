// SPDX-License-Identifier: Apache-2.0
#include "os/path/wide_win.h"

#include <gtest/gtest.h>

#include "base/printable.h"

namespace holdfast::os {
namespace {

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

}  // namespace
}  // namespace holdfast::os
