// SPDX-License-Identifier: Apache-2.0
#include "format/loop/loop_item.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holdfast
