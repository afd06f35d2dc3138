// SPDX-License-Identifier: Apache-2.0
#include "loop/intent/intent_note.h"

#include <gtest/gtest.h>

namespace holdfast::loop {
namespace {

IntentNote a_note() {
  IntentNote note{.lock = "loop:night\xFF", .store = R"({"item":"160\n"})"};
  note.run.bytes[5] = 3;
  note.token.bytes[0] = 9;
  return note;
}

TEST(IntentNote, SaysAllThatTheOtherProcessNeedsOnOneLine) {
  const std::string bytes = encode_intent_note(a_note());
  EXPECT_EQ(bytes.find('\n'), std::string::npos);
  const auto decoded = decode_intent_note(bytes);
  ASSERT_TRUE(decoded) << to_sentence(decoded.error());
  EXPECT_EQ(*decoded, a_note());
}

TEST(IntentNote, WhatIsCutOrIsSomethingElseIsRefused) {
  const std::string bytes = encode_intent_note(a_note());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto decoded = decode_intent_note(std::string_view(bytes).substr(0, length));
    ASSERT_FALSE(decoded) << length;
    EXPECT_EQ(decoded.error().cause, "bad-intent-note");
  }
  EXPECT_FALSE(decode_intent_note("[]"));
  EXPECT_FALSE(decode_intent_note(R"({"run":"7"})"));
}

}  // namespace
}  // namespace holdfast::loop
