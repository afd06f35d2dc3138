// SPDX-License-Identifier: Apache-2.0
#include "format/session/session_request.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using std::chrono::milliseconds;

SessionRequest session_request_again(const SessionRequest& request) {
  std::string line = encode_session_request(request);
  EXPECT_LE(line.size(), kMaxSessionRequestBytes);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  line.pop_back();
  const auto decoded = decode_session_request(line);
  EXPECT_TRUE(decoded);
  return decoded ? *decoded : SessionRequest{};
}

TEST(SessionRequest, ComesBackAsItWas) {
  for (const SessionRequest& request :
       {SessionRequest{}, SessionRequest{.grace = milliseconds(0), .signal = 9, .by = "pid 1"},
        SessionRequest{.grace = std::chrono::hours(1), .signal = 64, .by = "gr\xc3\xbc\xc3\x9f"}}) {
    EXPECT_EQ(session_request_again(request), request);
  }
}

TEST(SessionRequest, FitsIntoOnePieceWhoeverAsks) {
  EXPECT_EQ(
      session_request_again({.grace = {}, .signal = {}, .by = std::string(100000, '\x01')}).by,
      std::string(256, '\x01'));
  EXPECT_EQ(session_request_again({.grace = {}, .signal = {}, .by = "\xff\n"}).by, "?\n");
}

TEST(SessionRequest, WhatIsNoneIsNotTakenForOne) {
  const auto code_of = [](std::string_view line) {
    const auto request = decode_session_request(line);
    EXPECT_FALSE(request) << line;
    return request ? ErrorCode::kInternal : request.error().code;
  };
  for (const char* line :
       {"", "x", "{}", "[]", R"({"v":1})", R"({"ask":"stop"})", R"({"v":1,"ask":1})",
        R"({"v":1,"ask":"stop","grace_ms":-1})", R"({"v":1,"ask":"stop","grace_ms":"1s"})",
        R"({"v":1,"ask":"stop","grace_ms":9223372036855})", R"({"v":1,"ask":"stop","signal":0})",
        R"({"v":1,"ask":"stop","signal":65})", R"({"v":1,"ask":"stop","by":1})",
        R"({"v":1,"ask":"stop"}{)"}) {
    EXPECT_EQ(code_of(line), ErrorCode::kCorrupt) << line;
  }
  EXPECT_EQ(code_of(R"({"v":2,"ask":"stop"})"), ErrorCode::kCannotTell);
  EXPECT_EQ(code_of(R"({"v":1,"ask":"dance"})"), ErrorCode::kCannotTell);
}

}  // namespace
}  // namespace holdfast
