// SPDX-License-Identifier: Apache-2.0
//
// The bytes of the journal as they are on people's disks. These files never change: a format that
// needs other bytes needs another version, and files of its own.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "format/journal/journal_payload.h"
#include "format/journal/journal_record.h"
#include "format/journal/journal_state.h"

namespace holdfast {
namespace {

std::string golden_file(const std::string& name) {
  std::ifstream file(std::string(HF_FORMAT_GOLDEN) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

Id128 golden_id(std::uint8_t byte) {
  Id128 golden_id;
  for (std::size_t i = 0; i < golden_id.bytes.size(); ++i)
    golden_id.bytes[i] = static_cast<std::uint8_t>(byte + i);
  return golden_id;
}

Digest golden_digest(std::uint8_t byte) {
  Digest golden_digest;
  for (std::size_t i = 0; i < golden_digest.bytes.size(); ++i) {
    golden_digest.bytes[i] = static_cast<std::uint8_t>(byte + 7 * i);
  }
  return golden_digest;
}

struct Sample {
  std::uint64_t seq;
  EventClass event_class;
  std::string_view type;
  EventData data;
};

std::vector<Sample> samples() {
  using Kind = JournalRepaired::Kind;
  using enum EventClass;
  const SegmentOpened first{.journal = golden_id(1),
                            .number = 1,
                            .previous = {},
                            .boot = golden_id(0x40),
                            .host = "alpha"};
  const SegmentOpened second{
      .journal = golden_id(1),
      .number = 2,
      .previous = SegmentOpened::Previous{.head = golden_digest(2), .last_seq = 41, .bytes = 9000},
      .boot = golden_id(0x40),
      .host = "alpha"};
  const SegmentSealed sealed{.records = 42,
                             .seqs = {.first = 1, .last = 42},
                             .head = golden_digest(4),
                             .root = golden_digest(5),
                             .counts = {{"lock.busy", 40}, {"x.test", 2}}};
  const JournalRepaired torn{.kind = Kind::kTorn,
                             .segment = 1,
                             .offset = 220,
                             .bytes = 17,
                             .blob = golden_digest(6),
                             .lost = {},
                             .same_boot = true,
                             .says = "bytes behind the last whole record"};
  const JournalRepaired lost{.kind = Kind::kLost,
                             .segment = 1,
                             .offset = 0,
                             .bytes = 0,
                             .blob = {},
                             .lost = SeqRange{.first = 8, .last = 9},
                             .same_boot = false,
                             .says = "gone"};
  const JournalRetention retention{
      .dropped = {{.seqs = {.first = 1, .last = 42}, .bytes = 9000, .head = golden_digest(7)}}};
  const JournalSyncError sync_error{
      .segment = 43, .error = "eio", .unknown = SeqRange{.first = 50, .last = 51}};
  const JournalFull full{
      .ended = true, .dropped_trace = 12, .dropped_event = 3, .since_us = 1'763'200'000'123'456};
  return {
      {1, kEvent, SegmentOpened::kType, encode(first)},
      {2, kTrace, "lock.acquired", EventData().text("lock", "deploy").number("fence", 1024)},
      {3, kDecision, "lock.fail_open",
       EventData().text("lock", "deploy").text("reason", "timeout").number("waited_ms", 1500)},
      {4, kEvent, "x.test", EventData()},
      {5, kEvent, "x.text", EventData().text("s", "quote\" back\\ \n\t\x01 käse \xff").null("z")},
      {6, kEvent, SegmentOpened::kType, encode(second)},
      {7, kEvent, SegmentSealed::kType, encode(sealed)},
      {8, kEvent, JournalRepaired::kType, encode(torn)},
      {9, kEvent, JournalRepaired::kType, encode(lost)},
      {10, kDecision, JournalRetention::kType, encode(retention)},
      {11, kDecision, JournalSyncError::kType, encode(sync_error)},
      {std::numeric_limits<std::uint64_t>::max(), kEvent, JournalFull::kType, encode(full)},
  };
}

TEST(Golden, RecordsAreTheseBytes) {
  std::string lines;
  for (const Sample& sample : samples()) {
    encode_record_body({.seq = sample.seq,
                        .wall_us = 1'763'200'000'123'456,
                        .boot_us = 86'400'123'456,
                        .boot = "40414243",
                        .writer = "4711.88231",
                        .event_class = sample.event_class,
                        .type = sample.type,
                        .data = sample.data.json()},
                       lines);
    encode_record_tail(golden_digest(static_cast<std::uint8_t>(sample.seq)), lines);
  }
  EXPECT_EQ(lines, golden_file("journal_record.jsonl"));
}

TEST(Golden, RecordsAreRead) {
  const std::string text = golden_file("journal_record.jsonl");
  std::size_t at = 0;
  for (const Sample& sample : samples()) {
    const std::size_t end = text.find('\n', at);
    ASSERT_NE(end, std::string::npos);
    const auto record = decode_record(std::string_view(text).substr(at, end - at));
    ASSERT_TRUE(record) << sample.seq;
    EXPECT_EQ(record->fields.seq, sample.seq);
    EXPECT_EQ(record->fields.type, sample.type);
    EXPECT_EQ(record->fields.event_class, sample.event_class);
    EXPECT_EQ(record->fields.data, sample.data.json());
    at = end + 1;
  }
  EXPECT_EQ(at, text.size());
}

TEST(Golden, StateSlotsAreTheseBytes) {
  const HeadNote head{.boot = golden_id(0x40),
                      .segment = 1000,
                      .size = 5'123'456,
                      .seq = 1'234'567,
                      .head = golden_digest(9)};
  const SyncNote sync{
      .boot = golden_id(0x40), .segment = 1000, .size = 4'000'000, .seq = 1'234'000};
  const DropNote drop{.full = true,
                      .dropped_trace = 12,
                      .dropped_event = 3,
                      .since_us = 1'763'200'000'123'456,
                      .reported_seq = 0};
  const std::string text = golden_file("journal_state.txt");
  EXPECT_EQ(encode_note(head) + encode_note(sync) + encode_note(drop), text);
  ASSERT_EQ(text.size(), 3 * kStateSlotBytes);
  EXPECT_EQ(decode_head_note(text.substr(kHeadSlot, kStateSlotBytes)), head);
  EXPECT_EQ(decode_sync_note(text.substr(kSyncSlot, kStateSlotBytes)), sync);
  EXPECT_EQ(decode_drop_note(text.substr(kDropSlot, kStateSlotBytes)), drop);
}

}  // namespace
}  // namespace holdfast
