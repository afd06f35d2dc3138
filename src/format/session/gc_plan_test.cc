// SPDX-License-Identifier: Apache-2.0
#include "format/session/gc_plan.h"

#include <gtest/gtest.h>

#include <fstream>

namespace holdfast {
namespace {

Id128 gc_plan_id(std::uint8_t byte) {
  Id128 gc_plan_id;
  gc_plan_id.bytes.fill(byte);
  return gc_plan_id;
}

GcPlan full_plan() {
  GcPlan plan;
  plan.id = gc_plan_id(1);
  plan.at = WallTime(std::chrono::seconds(1'763'000'000));
  plan.made = {.boot = gc_plan_id(2), .boot_ns = 77};
  plan.grace = std::chrono::minutes(5);
  plan.probe_timeout = std::chrono::seconds(10);
  plan.probes = {{.pool = "", .command = "list"}, {.pool = "jobs", .command = "ls \xff"}};
  plan.rescue = "cp -a . /safe";
  plan.rescue_timeout = std::chrono::minutes(5);
  plan.trash_for = std::chrono::hours(24);
  plan.entries = {
      {.name = "web-1", .id = gc_plan_id(3), .change = 4, .reason = "not-listed"},
      {.name = "two\nlines", .id = gc_plan_id(5), .change = 1, .run = true, .reason = "run-ended"}};
  return plan;
}

TrashNote full_note() {
  return {.at = WallTime(std::chrono::seconds(1'763'000'000)),
          .moment = {.boot = gc_plan_id(2), .boot_ns = 78, .timens = 9},
          .reason = "ended",
          .plan = gc_plan_id(1),
          .keep = std::chrono::hours(24),
          .as = "web-2"};
}

std::string gc_plan_golden() {
  std::ifstream file(HF_FORMAT_GOLDEN "/gc_plan.jsonl", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(GcPlan, TheBytesOnDiskStayAsTheyAre) {
  EXPECT_EQ(encode_gc_plan(full_plan()) + encode_trash_note(full_note()), gc_plan_golden());
}

TEST(GcPlan, WhatIsWrittenIsReadAgain) {
  EXPECT_EQ(*decode_gc_plan(encode_gc_plan(full_plan()), "plan"), full_plan());
  EXPECT_EQ(*decode_gc_plan(encode_gc_plan({}), "plan"), GcPlan{});
  EXPECT_EQ(*decode_trash_note(encode_trash_note(full_note()), "note"), full_note());
  EXPECT_EQ(*decode_trash_note(encode_trash_note({}), "note"), TrashNote{});
}

TEST(GcPlan, CutAtAnyByteItIsDamaged) {
  const std::string plan = encode_gc_plan(full_plan());
  for (std::size_t size = 0; size < plan.size(); ++size) {
    const auto cut = decode_gc_plan(std::string_view(plan).substr(0, size), "plan");
    ASSERT_FALSE(cut) << size;
    EXPECT_EQ(cut.error().code, ErrorCode::kCorrupt) << size;
  }
  const std::string note = encode_trash_note(full_note());
  for (std::size_t size = 0; size + 1 < note.size(); ++size) {
    ASSERT_FALSE(decode_trash_note(std::string_view(note).substr(0, size), "note")) << size;
  }
}

TEST(GcPlan, MoreThanItsEntriesIsDamage) {
  EXPECT_FALSE(decode_gc_plan(encode_gc_plan(full_plan()) + "{}\n", "plan"));
}

TEST(GcPlan, ANewerOneIsNotUnderstoodAndNotDamaged) {
  std::string plan = encode_gc_plan(full_plan());
  plan.replace(plan.find("\"v\":1"), 5, "\"v\":2");
  EXPECT_EQ(decode_gc_plan(plan, "plan").error().code, ErrorCode::kCannotTell);
}

TEST(GcPlan, ANameThatNoSessionCanHaveIsDamage) {
  GcPlan plan = full_plan();
  plan.entries[0].name = std::string(200, 'x');
  EXPECT_EQ(decode_gc_plan(encode_gc_plan(plan), "plan").error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace holdfast
