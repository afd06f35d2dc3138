// SPDX-License-Identifier: Apache-2.0
#include "format/loop/loop_item.h"

#include <gtest/gtest.h>

#include "format/json/record_fixture.h"
#include "format/loop/step_record.h"
#include "format/loop/step_test_values.h"

namespace holdfast {
namespace {

TimeMark loop_item_mark(std::uint8_t boot) {
  TimeMark loop_item_mark;
  loop_item_mark.moment.boot.bytes[0] = boot;
  loop_item_mark.moment.boot_ns = 12345;
  loop_item_mark.moment.timens = 4026531834;
  loop_item_mark.wall = WallTime(std::chrono::milliseconds(1'700'000'000'123));
  return loop_item_mark;
}

ItemAct act(ItemAct::Kind kind, bool begun) {
  ItemAct act{.kind = kind, .session = "fix-160", .since = loop_item_mark(1).wall, .begun = begun};
  act.run.bytes[3] = 7;
  return act;
}

ItemRecord loop_item_full() {
  ItemRecord item;
  item.id = "160\xff";
  item.state = ItemState::kSuccessUnsure;
  item.attempts = 2;
  item.act_attempts = 1;
  item.asked = 4;
  item.verified = true;
  item.act = act(ItemAct::Kind::kVerify, true);
  item.next = DueTime{.from = loop_item_mark(2), .wait = std::chrono::minutes(5)};
  item.session = "fix-160";
  item.reason = "lost";
  item.detail = "nobody saw how it ended";
  item.exit_code = 0;
  item.first_seen = loop_item_mark(1).wall;
  item.changed = loop_item_mark(1).wall;
  item.absent = loop_item_mark(3);
  item.notice = {.told = {{.about = "refuted", .at = loop_item_mark(4)},
                          {.about = "exit-1", .at = loop_item_mark(5)}},
                 .held_back = 13,
                 .said = 12,
                 .wanted = "lost",
                 .later = "gave_up",
                 .act = act(ItemAct::Kind::kRun, false),
                 .failures = 2,
                 .next = DueTime{.from = loop_item_mark(2), .wait = std::chrono::minutes(1)},
                 .unsure = true};
  return item;
}

std::string_view without_newline(const std::string& line) {
  return std::string_view(line).substr(0, line.size() - 1);
}

template <typename T>
void expect_same(const T& what) {
  const std::string line = encode_loop_line(what);
  ASSERT_EQ(line.find('\n'), line.size() - 1);
  const auto read = decode_loop_line(without_newline(line), "log:1");
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ(std::get<T>(*read), what);
}

TEST(LoopItem, ReadsWhatItWrote) {
  expect_same(loop_item_full());
  ItemRecord small{
      .id = "1", .first_seen = loop_item_mark(1).wall, .changed = loop_item_mark(1).wall};
  for (std::size_t i = 0; i < kItemStates; ++i) {
    small.state = static_cast<ItemState>(i);
    EXPECT_EQ(parse_item_state(to_text(small.state)), small.state);
    expect_same(small);
  }
  expect_same(
      LoopDay{.day = "2026-11-16", .begun = 3, .failures = 2, .time = std::chrono::minutes(7)});
  expect_same(ItemForgotten{.id = "160"});
}

TEST(LoopItem, ALineThatWasCutOrChangedAtAnyByteIsCorrupt) {
  const std::string line = encode_loop_line(loop_item_full());
  const std::string_view whole = without_newline(line);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto cut = decode_loop_line(whole.substr(0, i), "log:1");
    ASSERT_FALSE(cut) << i;
    EXPECT_EQ(cut.error().code, ErrorCode::kCorrupt);
    std::string flipped(whole);
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    const auto changed = decode_loop_line(flipped, "log:1");
    ASSERT_FALSE(changed) << i;
    EXPECT_EQ(changed.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(changed.error().cause, "bad-loop-log");
  }
}

TEST(LoopItem, AHeadIsReadBackAndHasOneLength) {
  for (const std::uint64_t synced : {std::uint64_t{0}, std::uint64_t{63}, ~std::uint64_t{0}}) {
    const std::string head = encode_loop_head({.synced = synced});
    EXPECT_EQ(head.size(), kLoopHeadBytes);
    EXPECT_EQ(decode_loop_head(head + "more"), LoopHead{.synced = synced});
    for (std::size_t at = 0; at < head.size(); ++at) {
      EXPECT_FALSE(decode_loop_head(head.substr(0, at))) << at;
      std::string changed = head;
      changed[at] ^= 1;
      EXPECT_FALSE(decode_loop_head(changed)) << at;
    }
    // To version 0.1 it is a newer log, not a damaged one.
    const auto line = decode_loop_line(std::string_view(head).substr(0, head.size() - 1), "log:1");
    EXPECT_EQ(line.error().code, ErrorCode::kCannotTell);
  }
}

TEST(LoopItem, ANewerVersionIsNotCorrupt) {
  // {"v":2} with its checksum, which another program computed.
  const auto newer = decode_loop_line("17ac458b {\"v\":2,\"kind\":\"item\"}", "log:1");
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::kCannotTell);
}

ErrorCode step_record_code_of(std::string_view bytes) {
  const auto record = decode_step_record(bytes, "once%3Adeploy.json");
  EXPECT_FALSE(record);
  return record ? ErrorCode::kInternal : record.error().code;
}

std::string step_record_with(const std::string& path, const std::optional<Json>& value) {
  return changed(encode_step_record(full_step()), path, value);
}

TEST(StepRecord, ComesBackAsItWas) {
  for (const StepRecord& record : {small_step(), full_step()}) {
    const auto again = decode_step_record(encode_step_record(record), "step");
    ASSERT_TRUE(again) << to_sentence(again.error());
    EXPECT_TRUE(*again == record);
  }
}

// These bytes are on people's disks: a format that needs others needs another version.
TEST(StepRecord, BytesAreThoseOfTheGoldenFile) {
  EXPECT_EQ(encode_step_record(small_step()) + encode_step_record(full_step()),
            golden("step_record.jsonl"));
}

TEST(StepRecord, CutAtEveryByteItIsCorruptAndNeverEmpty) {
  expect_corrupt_wherever_it_is_cut(encode_step_record(full_step()), step_record_code_of);
}

TEST(StepRecord, NewerVersionIsCannotTellAlsoInsideAnIdentity) {
  EXPECT_EQ(step_record_code_of(step_record_with("/v", 2)), ErrorCode::kCannotTell);
  EXPECT_EQ(step_record_code_of(step_record_with("/pending/by/v", 2)), ErrorCode::kCannotTell);
  EXPECT_EQ(step_record_code_of(step_record_with("/v", std::nullopt)), ErrorCode::kCorrupt);
}

TEST(StepRecord, AFieldOfAnotherKindIsDamage) {
  for (const auto& [path, value] : std::vector<std::pair<std::string, std::optional<Json>>>{
           {"/kind", "holdfast-session"},
           {"/step", "twice"},
           {"/key", ""},
           {"/key", std::string(200, 'x')},
           {"/created", 1},
           {"/runs", std::nullopt},
           {"/runs", -1},
           {"/pending", Json::array()},
           {"/pending/run", "0"},
           {"/pending/reserved", std::nullopt},
           {"/pending/since/wall", std::nullopt},
           {"/pending/since/boot_ns", -1},
           {"/pending/notice/texts/0/text_sha256", "ab"},
           {"/done/at", std::nullopt},
           {"/unsure/state", "running"},
           {"/next/wait_ms", "5"},
           {"/history/0/state", "running"},
           {"/history/0/exit_code", 256},
           {"/history", Json(std::vector<int>(21, 1))},
           {"/sent/0/at", 1},
           {"/kept", ""},
           {"/kept/texts/0/text", ""},
           {"/kept/texts/0/text", std::nullopt},
           {"/kept/repeats", -1},
           {"/max", 0},
       }) {
    EXPECT_EQ(step_record_code_of(step_record_with(path, value)), ErrorCode::kCorrupt) << path;
  }
}

TEST(StepRecord, WhatALaterProgramAddsIsIgnored) {
  const auto record = decode_step_record(step_record_with("/later", "x"), "step");
  ASSERT_TRUE(record);
  EXPECT_TRUE(*record == full_step());
}

TEST(StepRecord, KindsAreSpelledOneWay) {
  for (std::size_t i = 0; i < kStepKinds; ++i) {
    const auto kind = static_cast<StepKind>(i);
    EXPECT_EQ(parse_step_kind(to_text(kind)), kind);
  }
  EXPECT_FALSE(parse_step_kind("until"));
  EXPECT_FALSE(parse_step_kind("tick"));
  EXPECT_EQ(step_session(StepKind::kOnce, "sync"), "once:sync");
}

}  // namespace
}  // namespace holdfast
