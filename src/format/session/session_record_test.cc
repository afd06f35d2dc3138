// SPDX-License-Identifier: Apache-2.0
#include "format/session/session_record.h"

#include <gtest/gtest.h>

#include "format/json/record_fixture.h"
#include "format/session/session_test_values.h"

namespace holdfast {
namespace {

ErrorCode session_record_code_of(std::string_view bytes) {
  const auto record = decode_session_record(bytes, "session.json");
  EXPECT_FALSE(record);
  return record ? ErrorCode::kInternal : record.error().code;
}

std::string session_record_with(const std::string& path, const std::optional<Json>& value) {
  return changed(encode_session_record(full_session()), path, value);
}

TEST(SessionRecord, ComesBackAsItWas) {
  for (const SessionRecord& record : {small_session(), full_session()}) {
    const auto again = decode_session_record(encode_session_record(record), "session.json");
    ASSERT_TRUE(again) << to_sentence(again.error());
    EXPECT_TRUE(*again == record);
  }
}

// Words that a record has only where they say something: the golden file has none of them.
TEST(SessionRecord, WhatIsSaidOnlyWhereItIsSoComesBack) {
  SessionRecord record = small_session();
  record.counted = true;
  record.order.own_pid_namespace = true;
  const auto back = decode_session_record(encode_session_record(record), "s");
  ASSERT_TRUE(back);
  EXPECT_TRUE(*back == record);
}

TEST(SessionRecord, EveryStateHasItsWord) {
  for (std::size_t i = 0; i < kSessionStates; ++i) {
    const auto state = static_cast<SessionState>(i);
    EXPECT_EQ(parse_session_state(to_text(state)), state);
    SessionRecord record = small_session();
    record.state = state;
    EXPECT_EQ(decode_session_record(encode_session_record(record), "x")->state, state);
  }
  EXPECT_EQ(parse_session_state("done"), std::nullopt);
  EXPECT_FALSE(is_final(SessionState::kOrphaned));
  EXPECT_TRUE(is_final(SessionState::kExited));
}

// These bytes are on people's disks: a format that needs others needs another version.
TEST(SessionRecord, BytesAreThoseOfTheGoldenFile) {
  EXPECT_EQ(encode_session_record(small_session()) + encode_session_record(full_session()),
            golden("session_record.jsonl"));
}

TEST(SessionRecord, TimesAndDurationsAreKeptToTheMillisecondAndNoLimitBecomesNone) {
  SessionRecord record = small_session();
  record.created = session_test_time(1) + std::chrono::microseconds(999);
  record.order.timeout = std::chrono::microseconds(1);
  const SessionRecord again = *decode_session_record(encode_session_record(record), "x");
  EXPECT_EQ(again.created, session_test_time(1));
  EXPECT_EQ(again.order.timeout, std::chrono::milliseconds(1));
}

TEST(SessionRecord, CutAtEveryByteItIsCorruptAndNeverEmpty) {
  expect_corrupt_wherever_it_is_cut(encode_session_record(full_session()), session_record_code_of);
}

TEST(SessionRecord, NewerVersionIsCannotTellAlsoInsideAnIdentity) {
  EXPECT_EQ(session_record_code_of(session_record_with("/v", 2)), ErrorCode::kCannotTell);
  EXPECT_EQ(session_record_code_of(session_record_with("/supervisor/v", 2)),
            ErrorCode::kCannotTell);
  EXPECT_EQ(session_record_code_of(session_record_with("/command/v", 2)), ErrorCode::kCannotTell);
  EXPECT_EQ(session_record_code_of(session_record_with("/v", 0)), ErrorCode::kCorrupt);
  EXPECT_EQ(session_record_code_of(session_record_with("/v", std::nullopt)), ErrorCode::kCorrupt);
}

TEST(SessionRecord, EveryFieldOfTheWrongKindIsCorrupt) {
  const Json whole = parse_json(encode_session_record(full_session()));
  const auto sweep = [](const Json& object, const std::string& above) {
    for (const auto& [key, value] : object.items()) {
      if (key == "run" && above.size() > 1) continue;  // of an identity it may be null
      const Json wrong = value.is_object() ? Json(1) : Json(Json::object());
      EXPECT_EQ(session_record_code_of(session_record_with((above + key).c_str(), wrong)),
                ErrorCode::kCorrupt)
          << above + key;
      EXPECT_EQ(session_record_code_of(session_record_with((above + key).c_str(), Json())),
                ErrorCode::kCorrupt)
          << above + key;
    }
  };
  sweep(whole, "/");
  sweep(whole["order"], "/order/");
  sweep(whole["supervisor"], "/supervisor/");
  sweep(whole["cgroup"], "/cgroup/");
}

TEST(SessionRecord, ValuesOutOfRangeAreCorrupt) {
  const std::string nul("a\0b", 3);
  const std::pair<const char*, Json> cases[] = {
      {"/name", ""},
      {"/name", std::string(129, 'x')},
      {"/run", "abc"},
      {"/number", 0},
      {"/number", -1},
      {"/state", "done"},
      {"/exit_code", 256},
      {"/exit_code", 1.5},
      {"/signal", 0},
      {"/signal", 65},
      {"/created", "2026-11-15"},
      {"/deadline_boot_ns", 9223372036854775808U},
      {"/supervisor/pid", 0},
      {"/supervisor/pid", 2147483648},
      {"/cgroup/path", "relative"},
      {"/log_bytes", -1},
      {"/order/command", Json::array()},
      {"/order/command", {""}},
      {"/order/command", {"sh", nul}},
      {"/order/command", {1}},
      {"/order/directory", "relative"},
      {"/order/environment", {"A"}},
      {"/order/environment", {"=A"}},
      {"/order/stdin", "relative"},
      {"/order/timeout_ms", 9223372036855},
      {"/order/grace_ms", -1},
      {"/order/kill_signal", 0},
  };
  for (const auto& [path, value] : cases) {
    EXPECT_EQ(session_record_code_of(session_record_with(path, value)), ErrorCode::kCorrupt)
        << path << " " << value.dump();
  }
}

TEST(SessionRecord, UnknownFieldsAreAllowedAndOtherKindsAreNot) {
  EXPECT_TRUE(decode_session_record(session_record_with("/colour", "red"), "x"));
  EXPECT_EQ(session_record_code_of(session_record_with("/kind", "holdfast-home")),
            ErrorCode::kCorrupt);
  EXPECT_EQ(session_record_code_of("[]"), ErrorCode::kCorrupt);
  EXPECT_EQ(session_record_code_of(std::string(kMaxSessionRecordBytes + 1, ' ')),
            ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace holdfast
