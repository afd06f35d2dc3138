// SPDX-License-Identifier: Apache-2.0
#include "loop/item/act_guard.h"

#include <gtest/gtest.h>

#include "testing/temp_dir.h"

namespace holdfast::loop {
namespace {

ActClaim a_claim() {
  ActClaim claim;
  claim.directory = "/home/a b/loops/night";
  claim.label = "loop:night";
  claim.token.bytes[0] = 9;
  claim.item = "160\n\xFF";
  claim.channel = Channel::kNotice;
  claim.run.bytes[5] = 3;
  return claim;
}

TEST(ActNote, SaysAllThatTheOtherProcessNeedsOnOneLine) {
  const std::string note = encode_act_claim(a_claim());
  EXPECT_EQ(note.find('\n'), std::string::npos);
  const auto decoded = decode_act_claim(note);
  ASSERT_TRUE(decoded) << decoded.error().detail;
  EXPECT_EQ(*decoded, a_claim());
}

TEST(ActNote, WhatIsCutOrIsSomethingElseIsRefused) {
  const std::string note = encode_act_claim(a_claim());
  for (std::size_t length = 0; length < note.size(); ++length) {
    const auto decoded = decode_act_claim(std::string_view(note).substr(0, length));
    ASSERT_FALSE(decoded) << length;
    EXPECT_EQ(decoded.error().cause, "bad-act-note");
  }
  EXPECT_FALSE(decode_act_claim("[]"));
  EXPECT_FALSE(decode_act_claim(R"({"kind":"loop-act"})"));
}

}  // namespace
}  // namespace holdfast::loop
