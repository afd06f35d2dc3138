// SPDX-License-Identifier: Apache-2.0
#include "format/session/session_record.h"

#include <gtest/gtest.h>

#include "format/json/record_fixture.h"
#include "format/loop/step_test_values.h"
#include "format/session/series_record.h"
#include "format/session/session_request.h"
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
  record.order.on_failure = "mail 'it failed'";
  record.order.on_success = "mail 'it works'";
  record.order.once_per_streak = true;
  record.streak = {.failures = 3, .failure_told = true, .success_due = true};
  record.told = true;
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

ErrorCode series_record_code_of(std::string_view bytes) {
  const auto record = decode_series_record(bytes, "series.json");
  EXPECT_FALSE(record);
  return record ? ErrorCode::kInternal : record.error().code;
}

std::string series_record_with(const std::string& path, const std::optional<Json>& value) {
  return changed(encode_series_record(full_series()), path, value);
}

TEST(SeriesRecord, ComesBackAsItWas) {
  for (const SeriesRecord& record : {small_series(), full_series()}) {
    const auto again = decode_series_record(encode_series_record(record), "series");
    ASSERT_TRUE(again) << to_sentence(again.error());
    EXPECT_TRUE(*again == record);
  }
}

// These bytes are on people's disks: a format that needs others needs another version.
TEST(SeriesRecord, BytesAreThoseOfTheGoldenFile) {
  EXPECT_EQ(encode_series_record(small_series()) + encode_series_record(full_series()),
            golden("series_record.jsonl"));
}

TEST(SeriesRecord, CutAtEveryByteItIsCorruptAndNeverEmpty) {
  expect_corrupt_wherever_it_is_cut(encode_series_record(full_series()), series_record_code_of);
}

TEST(SeriesRecord, NewerVersionIsCannotTell) {
  EXPECT_EQ(series_record_code_of(series_record_with("/v", 2)), ErrorCode::kCannotTell);
  EXPECT_EQ(series_record_code_of(series_record_with("/v", std::nullopt)), ErrorCode::kCorrupt);
}

TEST(SeriesRecord, AFieldOfAnotherKindIsDamage) {
  for (const auto& [path, value] :
       std::vector<std::pair<std::string, std::optional<Json>>>{{"/kind", "holdfast-session"},
                                                                {"/name", ""},
                                                                {"/name", std::string(200, 'x')},
                                                                {"/since", std::nullopt},
                                                                {"/command", Json::array()},
                                                                {"/command", "./agent"},
                                                                {"/iterations", 0},
                                                                {"/done", std::nullopt},
                                                                {"/done", -1},
                                                                {"/errors", "2"},
                                                                {"/mark", "xy"},
                                                                {"/pending", Json::array()},
                                                                {"/pending/n", 0},
                                                                {"/pending/begun", std::nullopt},
                                                                {"/pending/since", 1},
                                                                {"/over", "interrupted"},
                                                                {"/over", "whenever"},
                                                                {"/code", 256},
                                                                {"/answered", 1},
                                                                {"/history", Json::object()},
                                                                {"/history/0", 1},
                                                                {"/history/0/state", "running"},
                                                                {"/history/0/code", 256},
                                                                {"/history/0/progress", "perhaps"},
                                                                {"/history/1/signal", 0}}) {
    EXPECT_EQ(series_record_code_of(series_record_with(path, value)), ErrorCode::kCorrupt) << path;
  }
}

TEST(SeriesRecord, AHistoryThatIsTooLongIsDamage) {
  SeriesRecord record = small_series();
  record.history.assign(kMaxSeriesHistory, full_series().history.front());
  const std::string longest = encode_series_record(record);
  EXPECT_LT(longest.size(), kMaxSeriesRecordBytes / 2);
  EXPECT_TRUE(decode_series_record(longest, "series"));
  record.history.push_back(record.history.front());
  EXPECT_EQ(series_record_code_of(encode_series_record(record)), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace holdfast
