// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace holdfast {
namespace {

using namespace std::literals;

TEST(Printable, PlainTextAndUtf8StayAsTheyAre) {
  EXPECT_EQ(printable("fix-160 über \xe2\x82\xac \xf0\x9f\x90\x9a \\ ok"),
            "fix-160 über \xe2\x82\xac \xf0\x9f\x90\x9a \\ ok");
}

TEST(Printable, NoByteCanDriveATerminal) {
  EXPECT_EQ(printable("a\033[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable("one\ntwo\r\t"), "one\\x0atwo\\x0d\\x09");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");  // CSI as one C1 character
  EXPECT_EQ(printable("nul\0end"sv), "nul\\x00end");
}

TEST(Printable, NoCharacterCanTurnTheDirectionOfWhatFollows) {
  EXPECT_EQ(printable("a\u202egpj.sh"), "a\\xe2\\x80\\xaegpj.sh");
  EXPECT_EQ(printable("\u2066\u200f\u061c"), "\\xe2\\x81\\xa6\\xe2\\x80\\x8f\\xd8\\x9c");
  EXPECT_EQ(printable("\u2013\u2020\u206a"), "\u2013\u2020\u206a");
}

TEST(Printable, InvalidUtf8IsEscapedByteByByte) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong '/'
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(printable("cut\xe2\x82"), "cut\\xe2\\x82");
}

TEST(Printable, IsUtf8AgreesWithTheStandardsEdges) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("\xf4\x8f\xbf\xbf"));
  EXPECT_FALSE(is_utf8("\xf4\x90\x80\x80"));
  EXPECT_FALSE(is_utf8("\xf0\x8f\xbf\xbf"));
  EXPECT_FALSE(is_utf8("\x80"));
}

TEST(ErrorSentence, SaysWhatWasTriedOnWhatAndWhyOnOneLine) {
  const Error error{.code = ErrorCode::kIo,
                    .op = "create the home",
                    .subject = "/srv/a\nb",
                    .cause = "enospc",
                    .detail = "No space left on device; nothing was created"};
  EXPECT_EQ(to_sentence(error),
            "cannot create the home /srv/a\\x0ab: No space left on device; nothing was created");
}

}  // namespace
}  // namespace holdfast
