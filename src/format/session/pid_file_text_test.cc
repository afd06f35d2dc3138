// SPDX-License-Identifier: Apache-2.0
#include "format/session/pid_file_text.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(PidFileText, NumbersAndObjectsAreRead) {
  const PidFileText bare{.pid = 1234};
  const PidFileText ticks{.pid = 1234, .start_ticks = 88231};
  for (const char* text : {"1234", "1234\n", "  1234 \n", "{\"pid\":1234}", "{\"pid\":\"1234\"}"}) {
    EXPECT_EQ(read_pid_file_text(text), bare) << text;
  }
  for (const char* text : {"1234 88231", "1234\n88231\n", "{\"pid\":1234,\"starttime\":88231}",
                           "{\"start_ticks\":88231,\"pid\":1234}"}) {
    EXPECT_EQ(read_pid_file_text(text), ticks) << text;
  }
  EXPECT_EQ(read_pid_file_text("1234\nbox\n"), (PidFileText{.pid = 1234, .host = "box"}));
  EXPECT_EQ(read_pid_file_text("{\"pid\":1234,\"host\":\"box\"}"),
            (PidFileText{.pid = 1234, .host = "box"}));
}

TEST(PidFileText, WhatNamesNobodyForCertainIsNothing) {
  for (const char* text :
       {"", "\n", "0", "-5", "+5", "1234x", "1234 x y", "99999999999", "4194305", "1234 5678 9012",
        "{\"pid\":0}", "{\"pid\":-1}", "{\"pid\":1234", "{}", "pid 1234", "0x10", "1234 -5"}) {
    EXPECT_EQ(read_pid_file_text(text), std::nullopt) << text;
  }
  EXPECT_EQ(read_pid_file_text("1234" + std::string(kMaxPidFileBytes, ' ')), std::nullopt);
}

// A number that is cut short is another number. Nothing in the bytes tells; that is why a number
// alone is never enough to signal anybody.
TEST(PidFileText, AnObjectCutAnywhereNamesNobody) {
  const std::string text = "{\"pid\":1234,\"starttime\":88231}";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_EQ(read_pid_file_text(text.substr(0, length)), std::nullopt) << length;
  }
}

}  // namespace
}  // namespace holdfast
