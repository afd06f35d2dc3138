// SPDX-License-Identifier: Apache-2.0
#include "format/journal/event_type.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "format/journal/journal_record.h"

namespace holdfast {
namespace {

Error event_type_error_of(std::string_view type, const EventData& data = {}) {
  const auto checked = check_event(type, data.keys());
  return checked ? Error{} : checked.error();
}

TEST(EventType, EveryRowIsSpelledRightAndIsFound) {
  for (const EventType& type : event_types()) {
    EXPECT_TRUE(is_event_type_spelling(type.name)) << type.name;
    EXPECT_FALSE(type.name.starts_with(kOwnTypePrefix)) << type.name;
    EXPECT_EQ(find_event_type(type.name), &type);
    EXPECT_TRUE(type.says.ends_with('.') && type.says.size() < 100) << type.name;
    std::set<std::string_view> names;
    for (const EventField& field : type.fields) EXPECT_TRUE(names.insert(field.name).second);
    EXPECT_FALSE(names.empty()) << type.name;
  }
  EXPECT_EQ(find_event_type("lock"), nullptr);
  EXPECT_EQ(find_event_type(""), nullptr);
  EXPECT_EQ(find_event_type("zzz"), nullptr);
}

TEST(EventType, NamesAreNeverTakenAway) {
  // What is on people's disks and in their scripts; new ones are added here too.
  const std::vector<std::string_view> names{"block.changed",
                                            "block.refused",
                                            "ensure.created",
                                            "ensure.drift",
                                            "file.refused",
                                            "file.replaced",
                                            "gc.braked",
                                            "gc.failed",
                                            "gc.kept",
                                            "gc.planned",
                                            "gc.removed",
                                            "gc.skipped",
                                            "hook.allowed",
                                            "hook.ended",
                                            "hook.started",
                                            "journal.anchor_failed",
                                            "journal.anchored",
                                            "journal.full",
                                            "journal.opened",
                                            "journal.repaired",
                                            "journal.retention",
                                            "journal.sealed",
                                            "journal.sync_error",
                                            "layers.assembled",
                                            "layers.refused",
                                            "lock.acquired",
                                            "lock.broken",
                                            "lock.busy",
                                            "lock.expired",
                                            "lock.fail_open",
                                            "lock.lost",
                                            "lock.recovered",
                                            "lock.release_refused",
                                            "lock.released",
                                            "lock.skipped",
                                            "lock.taken",
                                            "loop.attempt",
                                            "loop.claimed",
                                            "loop.done",
                                            "loop.failed",
                                            "loop.gave_up",
                                            "loop.notified",
                                            "loop.paused",
                                            "loop.resumed",
                                            "loop.retried",
                                            "loop.settled",
                                            "loop.source_failed",
                                            "loop.suppressed",
                                            "loop.unknown",
                                            "loop.verified",
                                            "process.kill_refused",
                                            "process.killed",
                                            "process.survivors",
                                            "process.unproven",
                                            "series.began",
                                            "series.ended",
                                            "session.adopted",
                                            "session.ended",
                                            "session.log_lost",
                                            "session.on_end_failed",
                                            "session.orphaned",
                                            "session.reserved",
                                            "session.running",
                                            "session.skipped",
                                            "session.starting",
                                            "session.stopping",
                                            "session.unverified",
                                            "session.verified",
                                            "step.claimed",
                                            "step.done",
                                            "step.failed",
                                            "step.forgotten",
                                            "step.repeated",
                                            "step.skipped",
                                            "step.suppressed",
                                            "tick.skipped",
                                            "trash.purge",
                                            "trash.purged",
                                            "trash.restored",
                                            "workspace.attached",
                                            "workspace.changed",
                                            "workspace.created",
                                            "workspace.detached",
                                            "workspace.ended",
                                            "workspace.forgotten",
                                            "workspace.resumed"};
  ASSERT_EQ(event_types().size(), names.size());
  for (const std::string_view name : names) EXPECT_NE(find_event_type(name), nullptr) << name;
}

TEST(EventType, WhatMustBeDurableBeforeTheActIsADecision) {
  std::set<std::string_view> traces;
  std::set<std::string_view> decisions;
  for (const EventType& type : event_types()) {
    if (type.event_class == EventClass::kTrace) traces.insert(type.name);
    if (type.event_class == EventClass::kDecision) decisions.insert(type.name);
  }
  EXPECT_EQ(traces, (std::set<std::string_view>{"lock.acquired", "lock.released"}));
  EXPECT_EQ(decisions,
            (std::set<std::string_view>{
                "gc.planned", "hook.allowed", "journal.anchored", "journal.retention",
                "journal.sync_error", "lock.broken", "lock.expired", "lock.fail_open", "lock.taken",
                "process.killed", "step.forgotten", "trash.purge", "workspace.forgotten"}));
}

TEST(EventType, ARightEventHasTheClassOfItsType) {
  const EventData data = EventData().text("lock", "deploy").text("reason", "timeout");
  EXPECT_EQ(check_event("lock.fail_open", data.keys()), EventClass::kDecision);
  EXPECT_EQ(check_event("lock.acquired", data.keys()), EventClass::kTrace);
  EXPECT_EQ(check_event("lock.busy", data.keys()), EventClass::kEvent);
}

TEST(EventType, FurtherFieldsAreAllowed) {
  const EventData data = EventData().text("lock", "a").flag("brand_new", true).null("holder");
  EXPECT_TRUE(check_event("lock.busy", data.keys()));
}

TEST(EventType, AMissingFieldIsNamed) {
  const Error error = event_type_error_of("lock.fail_open", EventData().text("lock", "a"));
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.cause, "missing-field");
  EXPECT_NE(error.detail.find("'reason'"), std::string::npos);
}

TEST(EventType, AFieldOfAnotherKindIsNamed) {
  for (const EventData& data : {EventData().number("lock", 7), EventData().null("lock"),
                                EventData().text("lock", "a").text("waited_ms", "7"),
                                EventData().text("lock", "a").text("overrun_ms", "7")}) {
    const Error error = event_type_error_of("lock.busy", data);
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_EQ(error.cause, "wrong-kind") << data.json();
  }
}

TEST(EventType, AnUnknownTypeGetsTheNearestName) {
  const Error error = event_type_error_of("lock.fail_opn");
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.cause, "unknown-type");
  EXPECT_NE(error.detail.find("'lock.fail_open'"), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find("start with x."), std::string::npos) << error.detail;
  const Error far = event_type_error_of("deploy.finished");
  EXPECT_EQ(far.cause, "unknown-type");
  EXPECT_EQ(far.detail.find("did you mean"), std::string::npos) << far.detail;
  EXPECT_NE(far.detail.find("start with x."), std::string::npos) << far.detail;
}

TEST(EventType, AWrongSpellingIsBadBeforeItIsUnknown) {
  for (const std::string& type : {std::string(), std::string("Lock.busy"), std::string("x."),
                                  std::string("lock busy"), std::string(65, 'x')}) {
    EXPECT_EQ(event_type_error_of(type).cause, "bad-type") << type;
  }
}

TEST(EventType, OwnTypesTakeAnything) {
  EXPECT_EQ(check_event("x.deployed", {}), EventClass::kEvent);
  EXPECT_EQ(check_event("x.deployed", EventData().null("lock").keys()), EventClass::kEvent);
}

std::string json_of(std::string_view text) {
  const auto data = parse_event_data(text);
  return data ? data->json() : data.error().cause;
}

Error event_json_error_of(std::string_view text) {
  const auto data = parse_event_data(text);
  return data ? Error{} : data.error();
}

std::string event_json_nested(std::size_t depth) {
  std::string text = "{\"a\":";
  text += std::string(depth - 1, '[') + std::string(depth - 1, ']');
  return text + "}";
}

TEST(EventJson, IsWrittenCompactlyInItsOrder) {
  EXPECT_EQ(
      json_of(
          " {\n\t\"b\" : [ 1 , { } , [ ] , \"x\" ] ,\r\n \"a\" : null , \"c\":{\"d\":true}} \n"),
      R"({"b":[1,{},[],"x"],"a":null,"c":{"d":true}})");
  EXPECT_EQ(json_of("{}"), "{}");
  EXPECT_EQ(json_of("{\"\":[[],[1,2],{\"x\":[{}]}]}"), "{\"\":[[],[1,2],{\"x\":[{}]}]}");
}

TEST(EventJson, NumbersKeepTheirDigits) {
  for (const char* number :
       {"0", "-1", "18446744073709551615", "-9223372036854775808", "18446744073709551616",
        "-9223372036854775809", "123456789012345678901234567890", "0.1", "1.0", "-0.0", "1e5",
        "1E+5", "1.50e-7", "3.141592653589793238462643383279"}) {
    const std::string text = std::string("{\"n\":") + number + "}";
    EXPECT_EQ(json_of(text), text);
  }
  EXPECT_EQ(json_of("{\"n\":-0}"), "{\"n\":0}");
  EXPECT_EQ(json_of("{\"n\":1e999}"), "not-json");
}

TEST(EventJson, TextsHaveOneSpelling) {
  EXPECT_EQ(json_of(R"({"\u0061":"\u00e4\/\u001F\ud83d\ude00"})"),
            "{\"a\":\"ä/\\u001f\xf0\x9f\x98\x80\"}");
  EXPECT_EQ(json_of(R"({"a":"\u0000"})"), R"({"a":"\u0000"})");
}

TEST(EventJson, TheTopLevelIsKnownWithItsKinds) {
  const auto data = parse_event_data(
      R"({"t":"x","n":1,"f":1.5,"b":false,"l":[{"in":1},"s"],"o":{"in":1},"z":null})");
  ASSERT_TRUE(data);
  const std::vector<EventData::Key> expected{{"t", DataKind::kText},   {"n", DataKind::kNumber},
                                             {"f", DataKind::kNumber}, {"b", DataKind::kFlag},
                                             {"l", DataKind::kList},   {"o", DataKind::kObject},
                                             {"z", DataKind::kNull}};
  EXPECT_TRUE(std::ranges::equal(data->keys(), expected));
}

TEST(EventJson, OnlyOneObjectIsTaken) {
  for (const char* text : {"[]", "7", "\"x\"", "null", "true", "1.5", "[{}]"}) {
    EXPECT_EQ(json_of(text), "not-an-object") << text;
  }
  for (const char* text :
       {"", " ", "{", "{}{}", "{} x", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}",
        "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":NaN}", "{\"a\":\"\n\"}",
        "{\"a\":\"\\x\"}", "{\"a\":\"\\ud800\"}", "/**/{}"}) {
    EXPECT_EQ(json_of(text), "not-json") << text;
  }
}

TEST(EventJson, BytesThatAreNotUtf8AreRefusedNotReplaced) {
  for (const char* text :
       {"{\"a\":\"\xff\"}", "{\"\xc3\":1}", "{\"a\":\"\xed\xa0\x80\"}", "\xff{}"}) {
    EXPECT_EQ(json_of(text), "not-json");
  }
  EXPECT_EQ(json_of("\xef\xbb\xbf{\"a\":1}"), "{\"a\":1}");
}

TEST(EventJson, ANulByteIsNotTheEnd) {
  EXPECT_EQ(json_of(std::string_view("{}\0", 3)), "not-json");
  EXPECT_EQ(json_of(std::string_view("{\"a\":1}\0{", 9)), "not-json");
}

TEST(EventJson, AKeyTwiceInOneObjectIsRefusedWithItsPlace) {
  const Error error = event_json_error_of(R"({"a":1,"b":{"a":2,"\u0061":3}})");
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.cause, "duplicate-key");
  EXPECT_NE(error.detail.find("'a'"), std::string::npos);
  EXPECT_NE(error.detail.find("at byte 26"), std::string::npos) << error.detail;
  EXPECT_EQ(json_of(R"({"a":[{"a":1},{"a":2}]})"), R"({"a":[{"a":1},{"a":2}]})");
}

TEST(EventJson, DepthAndSizeHaveTheirLimits) {
  EXPECT_EQ(json_of(event_json_nested(64)), event_json_nested(64));
  EXPECT_EQ(json_of(event_json_nested(65)), "too-deep");
  EXPECT_EQ(json_of("{\"a\":" + std::string(1'000'000, '[')), "too-deep");
  const std::string frame = R"({"a":""})";
  const auto padded = [&](std::size_t size) {
    return R"({"a":")" + std::string(size - frame.size(), 'x') + "\"}";
  };
  EXPECT_EQ(json_of(padded(kMaxEventDataBytes)).size(), kMaxEventDataBytes);
  EXPECT_EQ(json_of(padded(kMaxEventDataBytes + 1)), "too-large");
}

TEST(EventJson, CutAtEveryByteItIsNoObject) {
  const std::string_view text = R"({"a":[1,-2.5e3,{"b":"c\n"}],"d":{"e":true,"f":null}})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_EQ(json_of(text.substr(0, length)), "not-json") << length;
  }
}

TEST(EventJson, ErrorsSayWhere) {
  const Error error = event_json_error_of("{\"a\":1,\n\"b\" 2}");
  EXPECT_EQ(error.cause, "not-json");
  EXPECT_NE(error.detail.find("line 2"), std::string::npos) << error.detail;
}

}  // namespace
}  // namespace holdfast
