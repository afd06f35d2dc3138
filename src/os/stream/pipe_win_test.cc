// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <gtest/gtest.h>

namespace holdfast::os {
namespace {

TEST(LineEndWin, OnlyACarriageReturnBeforeANewlineGoes) {
  EXPECT_EQ(with_plain_line_ends("a\r\nb\r\n"), "a\nb\n");
  EXPECT_EQ(with_plain_line_ends("a\nb\n"), "a\nb\n");
  EXPECT_EQ(with_plain_line_ends("a\rb\r\r\n"), "a\rb\r\n");
  EXPECT_EQ(with_plain_line_ends("cut\r"), "cut\r");
  EXPECT_EQ(with_plain_line_ends(""), "");
}

}  // namespace
}  // namespace holdfast::os
