// SPDX-License-Identifier: Apache-2.0
#include "format/loop/step_record.h"

#include <gtest/gtest.h>

#include "format/json/record_fixture.h"
#include "format/loop/step_test_values.h"

namespace holdfast {
namespace {

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
  EXPECT_EQ(step_session(StepKind::kTick, "sync"), "tick:sync");
}

}  // namespace
}  // namespace holdfast
