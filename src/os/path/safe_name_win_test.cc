// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "os/path/safe_name.h"

namespace holdfast::os {
namespace {

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
