// SPDX-License-Identifier: Apache-2.0
//
// Bytes as they are on people's disks. The golden files never change: a format that
// needs other bytes needs another version, and files of its own.
#include <gtest/gtest.h>

#include <limits>

#include "format/file/undo_header.h"
#include "format/journal/journal_payload.h"
#include "format/journal/journal_record.h"
#include "format/journal/journal_state.h"
#include "format/json/home_marker.h"
#include "format/json/record_fixture.h"
#include "format/json/record_writer.h"
#include "format/loop/step_test_values.h"
#include "format/session/series_record.h"
#include "format/session/session_record.h"
#include "format/session/session_test_values.h"

namespace holdfast {
namespace {

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
  EXPECT_EQ(lines, golden("journal_record.jsonl"));
}

TEST(Golden, RecordsAreRead) {
  const std::string text = golden("journal_record.jsonl");
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
  const std::string text = golden("journal_state.txt");
  EXPECT_EQ(encode_note(head) + encode_note(sync) + encode_note(drop), text);
  ASSERT_EQ(text.size(), 3 * kStateSlotBytes);
  EXPECT_EQ(decode_head_note(text.substr(kHeadSlot, kStateSlotBytes)), head);
  EXPECT_EQ(decode_sync_note(text.substr(kSyncSlot, kStateSlotBytes)), sync);
  EXPECT_EQ(decode_drop_note(text.substr(kDropSlot, kStateSlotBytes)), drop);
}

// The golden file of version 1: what is on people's disks must stay readable.
constexpr std::string_view kHomeMarkerGolden =
    "{\"v\":1,\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}\n";
const WallTime kCreated(std::chrono::milliseconds(1'709'209'845'123));

ErrorCode home_marker_code_of(std::string_view bytes) {
  const auto marker = decode_home_marker(bytes, "format");
  return marker ? ErrorCode::kInternal : marker.error().code;
}

TEST(HomeMarker, GoldenFileIsWrittenAndRead) {
  EXPECT_EQ(encode_home_marker({.created = kCreated}), kHomeMarkerGolden);
  const auto marker = decode_home_marker(kHomeMarkerGolden, "format");
  ASSERT_TRUE(marker);
  EXPECT_EQ(marker->created, kCreated);
}

TEST(HomeMarker, CutAtEveryByteItIsCorruptAndNeverEmpty) {
  // Without its final newline the object is still whole.
  for (std::size_t length = 0; length + 1 < kHomeMarkerGolden.size(); ++length) {
    EXPECT_EQ(home_marker_code_of(kHomeMarkerGolden.substr(0, length)), ErrorCode::kCorrupt)
        << length;
  }
}

TEST(HomeMarker, NewerVersionIsCannotTellAndNotCorrupt) {
  const auto marker =
      decode_home_marker("{\"v\":2,\"kind\":\"holdfast-home\",\"shape\":\"new\"}", "format");
  ASSERT_FALSE(marker);
  EXPECT_EQ(marker.error().code, ErrorCode::kCannotTell);
  EXPECT_EQ(marker.error().cause, "newer-version");
}

TEST(HomeMarker, UnknownKeysAreAllowed) {
  EXPECT_TRUE(
      decode_home_marker("{\"v\":1,\"kind\":\"holdfast-home\",\"x\":[],"
                         "\"created\":\"2024-02-29T12:30:45.123Z\"}",
                         "format"));
}

TEST(HomeMarker, EverythingElseIsCorrupt) {
  for (const char* bytes :
       {"[]", "null", "7", "{}", "{\"v\":1}", "{\"v\":1,\"kind\":\"holdfast-home\"}",
        "{\"v\":0,\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":-1,\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":\"1\",\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":1,\"kind\":\"home\",\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":1,\"kind\":7,\"created\":\"2024-02-29T12:30:45.123Z\"}",
        "{\"v\":1,\"kind\":\"holdfast-home\",\"created\":\"yesterday\"}",
        "{\"v\":1,\"kind\":\"holdfast-home\",\"created\":\"2024-02-29T12:30:45.123Z\"}{}"}) {
    EXPECT_EQ(home_marker_code_of(bytes), ErrorCode::kCorrupt) << bytes;
  }
}

TEST(HomeMarker, ANulByteDoesNotEndIt) {
  EXPECT_EQ(home_marker_code_of(std::string(kHomeMarkerGolden) + '\0'), ErrorCode::kCorrupt);
  EXPECT_EQ(home_marker_code_of(std::string(kHomeMarkerGolden) + '\0' + "{}"), ErrorCode::kCorrupt);
}

TEST(HomeMarker, AVersionTooLargeForAnIntegerIsNewerAndNotCorrupt) {
  for (const char* v : {"9223372036854775808", "18446744073709551615", "99999999999999999999"}) {
    const std::string bytes = std::string("{\"v\":") + v + ",\"kind\":\"holdfast-home\"}";
    EXPECT_EQ(home_marker_code_of(bytes), ErrorCode::kCannotTell) << v;
  }
  EXPECT_EQ(home_marker_code_of("{\"v\":1.5,\"kind\":\"holdfast-home\"}"), ErrorCode::kCorrupt);
}

// Any flipped bit is found, or was one of the name of the checksum, and changed nothing.
template <typename Decode>
void expect_flips_found(const std::string& bytes, const Decode& decode) {
  const auto whole = decode(bytes);
  ASSERT_TRUE(whole);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    const auto read = decode(damaged);
    if (read) {
      EXPECT_EQ(*read, *whole) << bit << ": " << damaged;
    }
  }
}

TEST(SealedJson, AFlippedBitNeverMakesAnotherRecord) {
  expect_flips_found(encode_step_record(full_step()),
                     [](std::string_view bytes) { return decode_step_record(bytes, "r"); });
  expect_flips_found(encode_session_record(full_session()),
                     [](std::string_view bytes) { return decode_session_record(bytes, "r"); });
  expect_flips_found(encode_series_record(full_series()),
                     [](std::string_view bytes) { return decode_series_record(bytes, "r"); });
}

TEST(SealedJson, ARecordOfVersion01HasNoneAndIsRead) {
  const std::string sealed = encode_step_record(full_step());
  const std::string bytes = sealed.substr(0, sealed.rfind(",\"crc32c\"")) + "}\n";
  const auto read = decode_step_record(bytes, "r");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, full_step());
}

// The golden line of version 1: an undo file that an older program left must stay usable.
constexpr std::string_view kUndoHeaderGolden =
    "{\"v\":1,\"kind\":\"holdfast-undo\",\"boot\":\"03000000000000000000000000000000\","
    "\"device\":66305,\"inode\":1234,\"mode\":416,\"size\":17,\"sha256\":"
    "\"0102000000000000000000000000000000000000000000000000000000000000\"}\n";

UndoHeader undo_header_sample() {
  UndoHeader header{
      .boot = {}, .device = 66305, .inode = 1234, .mode = 0640, .size = 17, .sha256 = {}};
  header.boot.bytes[0] = 3;
  header.sha256.bytes[0] = 1;
  header.sha256.bytes[1] = 2;
  return header;
}

ErrorCode undo_header_code_of(std::string_view bytes) {
  const auto header = decode_undo_header(bytes, "undo");
  return header ? ErrorCode::kInternal : header.error().code;
}

TEST(UndoHeader, GoldenLineIsWrittenAndRead) {
  EXPECT_EQ(encode_undo_header(undo_header_sample()), kUndoHeaderGolden);
  const auto decoded = decode_undo_header(std::string(kUndoHeaderGolden) + "content\n", "undo");
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->header, undo_header_sample());
  EXPECT_EQ(decoded->bytes, kUndoHeaderGolden.size());
}

TEST(UndoHeader, CutAtEveryByteItIsCorrupt) {
  for (std::size_t length = 0; length < kUndoHeaderGolden.size(); ++length) {
    EXPECT_EQ(undo_header_code_of(kUndoHeaderGolden.substr(0, length)), ErrorCode::kCorrupt)
        << length;
  }
}

TEST(UndoHeader, NewerVersionIsCannotTell) {
  EXPECT_EQ(undo_header_code_of("{\"v\":2,\"kind\":\"holdfast-undo\"}\n"), ErrorCode::kCannotTell);
}

TEST(UndoHeader, EverythingElseIsCorrupt) {
  for (const char* bytes :
       {"\n", "[]\n", "{}\n", "{\"v\":1,\"kind\":\"holdfast-undo\"}\n",
        "{\"v\":1,\"kind\":\"holdfast-home\",\"device\":1,\"inode\":1,\"size\":1}\n",
        "{\"v\":1,\"kind\":\"holdfast-undo\",\"device\":-1,\"inode\":1,\"size\":1,\"sha256\":\"\"}"
        "\n"}) {
    EXPECT_EQ(undo_header_code_of(bytes), ErrorCode::kCorrupt) << bytes;
  }
}

}  // namespace
}  // namespace holdfast
