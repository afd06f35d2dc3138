// SPDX-License-Identifier: Apache-2.0
#include "format/journal/journal_record.h"

#include <gtest/gtest.h>

#include <limits>

#include "format/journal/event_type.h"
#include "format/journal/journal_payload.h"
#include "format/json/json.h"
#include "format/text/crc32c.h"

namespace holdfast {
namespace {

Digest some_digest() {
  Digest digest;
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
    digest.bytes[i] = static_cast<std::uint8_t>(37 * i + 11);
  }
  return digest;
}

RecordFields some_fields() {
  return {.seq = 7,
          .wall_us = 1'763'200'000'123'456,
          .boot_us = 86'400'123'456,
          .boot = "0f3c9a12",
          .writer = "4711.88231",
          .event_class = EventClass::kEvent,
          .type = "lock.busy",
          .data = R"({"lock":"deploy"})"};
}

// Without its newline, as decode_record takes it.
std::string line_of(const RecordFields& fields) {
  std::string line;
  encode_record_body(fields, line);
  encode_record_tail(some_digest(), line);
  line.pop_back();
  return line;
}

// `body` is all that stands before `,"c":`.
std::string journal_record_sealed(std::string body) {
  const std::uint32_t crc = crc32c(body);
  body += ",\"c\":\"";
  for (int shift = 28; shift >= 0; shift -= 4) body += "0123456789abcdef"[crc >> shift & 0xf];
  body += '"';
  encode_record_tail(some_digest(), body);
  body.pop_back();
  return body;
}

constexpr std::string_view kBody =
    R"({"v":1,"n":7,"t":1763200000123456,"m":86400123456,"b":"0f3c9a12","w":"4711.88231",)"
    R"("k":"event","e":"lock.busy","d":{"lock":"deploy"})";

std::string_view fault_of(const std::string& line) {
  const auto record = decode_record(line);
  return record ? "none" : to_text(record.error());
}

// kBody with one part replaced, and a right checksum.
std::string_view fault_with(std::string_view part, std::string_view other) {
  std::string body(kBody);
  const std::size_t at = body.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  body.replace(at, part.size(), other);
  return fault_of(journal_record_sealed(body));
}

TEST(JournalRecord, WhatIsEncodedIsDecoded) {
  const std::string line = line_of(some_fields());
  EXPECT_EQ(line, journal_record_sealed(std::string(kBody)));
  const auto record = decode_record(line);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->fields.seq, 7U);
  EXPECT_EQ(record->fields.wall_us, 1'763'200'000'123'456);
  EXPECT_EQ(record->fields.boot_us, 86'400'123'456);
  EXPECT_EQ(record->fields.boot, "0f3c9a12");
  EXPECT_EQ(record->fields.writer, "4711.88231");
  EXPECT_EQ(record->fields.event_class, EventClass::kEvent);
  EXPECT_EQ(record->fields.type, "lock.busy");
  EXPECT_EQ(record->fields.data, R"({"lock":"deploy"})");
  EXPECT_EQ(record->hash, some_digest());
  EXPECT_EQ(record->hashed, line.substr(0, line.size() + 1 - kRecordTailBytes));
}

TEST(JournalRecord, EncodingAppendsAndSumsOnlyItsOwnBytes) {
  std::string out = "before\n";
  encode_record_body(some_fields(), out);
  encode_record_tail(some_digest(), out);
  EXPECT_EQ(out, "before\n" + line_of(some_fields()) + "\n");
}

TEST(JournalRecord, NumbersAtTheEndsOfTheirTypesSurvive) {
  RecordFields fields = some_fields();
  fields.seq = std::numeric_limits<std::uint64_t>::max();
  fields.wall_us = std::numeric_limits<std::int64_t>::min();
  fields.boot_us = std::numeric_limits<std::int64_t>::max();
  fields.event_class = EventClass::kDecision;
  const std::string writer(kMaxWriterBytes, '~');
  const std::string type(kMaxTypeBytes, 'x');
  fields.writer = writer;
  fields.type = type;
  const std::string line = line_of(fields);
  const auto record = decode_record(line);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->fields.seq, fields.seq);
  EXPECT_EQ(record->fields.wall_us, fields.wall_us);
  EXPECT_EQ(record->fields.boot_us, fields.boot_us);
  EXPECT_EQ(record->fields.writer, writer);
  EXPECT_EQ(record->fields.type, type);
}

TEST(JournalRecord, CutAtEveryByteItIsNoRecord) {
  const std::string line = line_of(some_fields());
  for (std::size_t length = 0; length < line.size(); ++length) {
    EXPECT_FALSE(decode_record(std::string_view(line).substr(0, length))) << length;
    EXPECT_FALSE(decode_record(std::string_view(line).substr(line.size() - length))) << length;
  }
}

TEST(JournalRecord, AFlipOfAnyBitIsNoticed) {
  const std::string line = line_of(some_fields());
  // The chain hash vouches for the record, not the record for the hash: a flip in its text may give
  // another hash. Then nothing else may change; the chain's check finds it.
  const std::size_t hash = line.size() - 2 - kDigestBase64Chars;
  for (std::size_t i = 0; i < line.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string flipped = line;
      flipped[i] = static_cast<char>(static_cast<std::uint8_t>(flipped[i]) ^ 1U << bit);
      const auto record = decode_record(flipped);
      if (i >= hash && i < hash + kDigestBase64Chars) {
        if (record) {
          EXPECT_NE(record->hash, some_digest());
        }
        continue;
      }
      EXPECT_FALSE(record) << i << " bit " << bit;
      if (!record) {
        EXPECT_NE(record.error(), LineFault::kNewerVersion) << i << " bit " << bit;
      }
    }
  }
}

TEST(JournalRecord, AChangeUnderTheSameFrameIsAChecksumFault) {
  std::string line = line_of(some_fields());
  line[line.find("deploy")] = 'r';
  EXPECT_EQ(fault_of(line), "checksum");
}

TEST(JournalRecord, TheSpellingIsExactEvenWhereTheChecksumIsRight) {
  ASSERT_EQ(fault_with("lock.busy", "lock.lost"), "none");  // the way of asking works
  for (const auto& [part, other] : std::vector<std::pair<const char*, const char*>>{
           {"{\"v\"", " {\"v\""},
           {"{\"v\"", "\xef\xbb\xbf{\"v\""},
           {"\"v\":1", "\"v\":01"},
           {"\"v\":1", "\"v\":0"},
           {"\"v\":1", "\"v\":-1"},
           {"\"v\":1", "\"v\":\"1\""},
           {"\"n\":7", "\"n\":07"},
           {"\"n\":7", "\"n\":+7"},
           {"\"n\":7", "\"n\": 7"},
           {"\"n\":7", "\"n\":-7"},
           {"\"n\":7", "\"n\":18446744073709551616"},
           {"\"t\":1763200000123456", "\"t\":-0"},
           {"\"t\":1763200000123456", "\"t\":1.5"},
           {"\"t\":1763200000123456", "\"t\":9223372036854775808"},
           {"\"n\":7,\"t\":1763200000123456", "\"t\":1763200000123456,\"n\":7"},
           {"0f3c9a12", "0f3c9a1"},
           {"0f3c9a12", "0f3c9a123"},
           {"0f3c9a12", "0F3C9A12"},
           {"4711.88231", ""},
           {"4711.88231", "4711 88231"},
           {"4711.88231", "4711\\n"},
           {"\"event\"", "\"Event\""},
           {"\"event\"", "\"\""},
           {"\"event\"", "\"events\""},
           {"lock.busy", ""},
           {"lock.busy", "Lock.busy"},
           {"lock.busy", "lock..busy"},
           {"lock.busy", "lock.busy."},
           {"lock.busy", ".lock"},
           {"lock.busy", "7lock"},
           {"{\"lock\":\"deploy\"}", ""},
           {"{\"lock\":\"deploy\"}", "{"},
           {"{\"lock\":\"deploy\"}", "[]"},
           {"{\"lock\":\"deploy\"}", "null"},
           {"{\"lock\":\"deploy\"}", "{} "}}) {
    EXPECT_EQ(fault_with(part, other), "not-a-record") << part << " -> " << other;
  }
}

TEST(JournalRecord, LinesOfOthersAreNoRecords) {
  const std::string line = line_of(some_fields());
  for (const std::string& other :
       {std::string(), std::string("{}"), line + "\r", line + "\n", line + " ",
        std::string(400, '\0'), line.substr(0, 40) + line, std::string(line.size(), ' ')}) {
    EXPECT_FALSE(decode_record(other));
  }
}

TEST(JournalRecord, ANewerVersionIsSaidOnlyOfAWholeLine) {
  EXPECT_EQ(fault_with("\"v\":1", "\"v\":2"), "newer-version");
  EXPECT_EQ(fault_of(journal_record_sealed(R"({"v":17,"shape":[])")), "newer-version");
  std::string damaged = line_of(some_fields());
  damaged[damaged.find('1')] = '3';
  EXPECT_EQ(fault_of(damaged), "checksum");
}

TEST(JournalRecord, TheLongestLineIsReadAndALongerOneIsNot) {
  const std::string frame = line_of(some_fields());
  RecordFields fields = some_fields();
  for (const std::size_t excess : {0U, 1U}) {
    // With its newline exactly kMaxRecordBytes, and one more.
    const std::size_t grow = kMaxRecordBytes - (frame.size() + 1) + excess;
    const std::string data = R"({"lock":"deploy)" + std::string(grow, 'x') + "\"}";
    fields.data = data;
    EXPECT_EQ(fault_of(line_of(fields)), excess == 0 ? "none" : "too-long");
  }
}

TEST(JournalRecord, TheTailGivesTheChain) {
  std::string tail;
  encode_record_tail(some_digest(), tail);
  ASSERT_EQ(tail.size(), kRecordTailBytes);
  EXPECT_EQ(decode_record_tail(tail), some_digest());
  for (std::size_t length = 0; length < tail.size(); ++length) {
    EXPECT_FALSE(decode_record_tail(tail.substr(length + 1)));
    EXPECT_FALSE(decode_record_tail(tail.substr(0, length)));
  }
  EXPECT_FALSE(decode_record_tail("x" + tail));
  EXPECT_FALSE(decode_record_tail(tail + "\n"));
}

TEST(JournalRecord, SpellingsOfTypesAndWriters) {
  for (const char* good : {"a", "lock.busy", "x.my-type_2", "gc.removed", "x.1"}) {
    EXPECT_TRUE(is_event_type_spelling(good)) << good;
  }
  for (const char* bad : {"", "x.", ".x", "x..y", "1.x", "_x", "Lock", "a b", "a\"b", "ä"}) {
    EXPECT_FALSE(is_event_type_spelling(bad)) << bad;
  }
  EXPECT_TRUE(is_event_type_spelling(std::string(kMaxTypeBytes, 'x')));
  EXPECT_FALSE(is_event_type_spelling(std::string(kMaxTypeBytes + 1, 'x')));
  for (const char* good : {"1", "4711.88231", "A~b-c_d.9"}) EXPECT_TRUE(is_writer_spelling(good));
  for (const char* bad : {"", "a b", "a\"", "a/b", "ä"}) EXPECT_FALSE(is_writer_spelling(bad));
  EXPECT_TRUE(is_writer_spelling(std::string(kMaxWriterBytes, 'x')));
  EXPECT_FALSE(is_writer_spelling(std::string(kMaxWriterBytes + 1, 'x')));
}

Id128 journal_payload_id(std::uint8_t byte) {
  Id128 journal_payload_id;
  journal_payload_id.bytes.fill(byte);
  return journal_payload_id;
}

Digest journal_payload_digest(std::uint8_t byte) {
  Digest journal_payload_digest;
  journal_payload_digest.bytes.fill(byte);
  return journal_payload_digest;
}

SegmentOpened opened() {
  return {
      .journal = journal_payload_id(1),
      .number = 2,
      .previous =
          SegmentOpened::Previous{.head = journal_payload_digest(2), .last_seq = 41, .bytes = 9000},
      .boot = journal_payload_id(3),
      .host = "häst \xff"};
}
SegmentSealed journal_payload_sealed() {
  return {.records = 42,
          .seqs = {.first = 1, .last = 42},
          .head = journal_payload_digest(4),
          .root = journal_payload_digest(5),
          .counts = {{"lock.busy", 40}, {"x.test", 2}}};
}
JournalRepaired journal_payload_repaired() {
  return {.kind = JournalRepaired::Kind::kTorn,
          .segment = 1,
          .offset = 220,
          .bytes = 17,
          .blob = journal_payload_digest(6),
          .lost = SeqRange{.first = 8, .last = 9},
          .same_boot = false,
          .says = "bytes behind the last whole record"};
}
JournalRetention retention() {
  return {.dropped = {
              {.seqs = {.first = 1, .last = 42}, .bytes = 9000, .head = journal_payload_digest(7)},
              {.seqs = {.first = 43, .last = 43}, .bytes = 1, .head = journal_payload_digest(8)}}};
}
JournalSyncError sync_error() {
  return {.segment = 43, .error = "eio", .unknown = SeqRange{.first = 50, .last = 51}};
}
JournalFull journal_payload_full() {
  return {
      .ended = true, .dropped_trace = 12, .dropped_event = 3, .since_us = 1'763'200'000'123'000};
}

// Round trip, registry, extra keys, and each required key missing or of another kind.
template <typename Payload, typename Decode>
void expect_sound(const Payload& payload, Decode decode, const std::set<std::string>& optional) {
  const EventData data = encode(payload);
  EXPECT_TRUE(check_event(Payload::kType, data.keys())) << data.json();
  const auto again = decode(data.json(), "segment");
  ASSERT_TRUE(again) << data.json() << again.error().detail;
  EXPECT_EQ(*again, payload);

  const auto json = parse_json(data.json());
  auto more = json;
  more["later"] = Json::array({1, 2});
  EXPECT_TRUE(decode(more.dump(), "segment"));
  for (const auto& [key, value] : json.items()) {
    Json less = Json::object();
    for (const auto& [other, kept] : json.items()) {
      if (other != key) less[other] = kept;
    }
    const auto missing = decode(less.dump(), "segment");
    EXPECT_EQ(missing.has_value(), optional.contains(key)) << key;
    auto other = json;
    other[key] = -1.5;
    const auto wrong = decode(other.dump(), "segment");
    ASSERT_FALSE(wrong) << key;
    EXPECT_EQ(wrong.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(wrong.error().subject, "segment");
  }
  for (std::size_t length = 0; length < data.json().size(); ++length) {
    const auto cut = decode(data.json().substr(0, length), "segment");
    ASSERT_FALSE(cut) << length;
    EXPECT_EQ(cut.error().cause, "bad-payload");
  }
  for (const std::string& text : {std::string("[]"), std::string("null"), data.json() + '\0'}) {
    EXPECT_FALSE(decode(text, "segment"));
  }
}

TEST(JournalPayload, OpenedIsSound) {
  SegmentOpened payload = opened();
  payload.host = "häst";
  expect_sound(payload, decode_segment_opened, {});
  payload.previous.reset();
  expect_sound(payload, decode_segment_opened, {});
}

TEST(JournalPayload, AHostNameThatIsNotUtf8IsStillJson) {
  const auto again = decode_segment_opened(encode(opened()).json(), "segment");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->host, "häst \xef\xbf\xbd");
}

TEST(JournalPayload, SealedIsSound) {
  expect_sound(journal_payload_sealed(), decode_segment_sealed, {});
}

TEST(JournalPayload, RepairedIsSound) {
  expect_sound(journal_payload_repaired(), decode_journal_repaired, {"blob"});
  JournalRepaired payload = journal_payload_repaired();
  payload.blob.reset();
  payload.lost.reset();
  for (const auto kind : {JournalRepaired::Kind::kTorn, JournalRepaired::Kind::kLost,
                          JournalRepaired::Kind::kDamaged}) {
    payload.kind = kind;
    expect_sound(payload, decode_journal_repaired, {});
  }
}

TEST(JournalPayload, RetentionIsSound) {
  expect_sound(retention(), decode_journal_retention, {});
  expect_sound(JournalRetention{}, decode_journal_retention, {});
  EXPECT_FALSE(decode_journal_retention(R"({"dropped":[7]})", "segment"));
  EXPECT_FALSE(decode_journal_retention(R"({"dropped":[{"first":1,"last":2,"bytes":3}]})", "s"));
}

TEST(JournalPayload, SyncErrorIsSound) {
  expect_sound(sync_error(), decode_journal_sync_error, {});
  JournalSyncError payload = sync_error();
  payload.unknown.reset();
  expect_sound(payload, decode_journal_sync_error, {});
}

TEST(JournalPayload, FullIsSound) {
  expect_sound(journal_payload_full(), decode_journal_full, {});
  JournalFull payload = journal_payload_full();
  payload.ended = false;
  expect_sound(payload, decode_journal_full, {});
  EXPECT_FALSE(decode_journal_full(
      R"({"state":"x","dropped_trace":0,"dropped_event":0,"since":"2024-02-29T12:30:45.123Z"})",
      "segment"));
}

TEST(JournalPayload, AClockOutOfRangeIsClampedAndNotAnotherShape) {
  const auto since = [](std::int64_t us) {
    const auto again = decode_journal_full(encode(JournalFull{.since_us = us}).json(), "segment");
    return again ? again->since_us : -1;
  };
  EXPECT_EQ(since(std::numeric_limits<std::int64_t>::min()), 0);
  EXPECT_EQ(since(std::numeric_limits<std::int64_t>::max()), 9'214'646'399'999'000);  // end of 2261
  EXPECT_EQ(since(1'763'200'000'123'456), 1'763'200'000'123'000);  // cut to milliseconds
}

TEST(JournalPayload, ANewerSegmentFormatIsCannotTell) {
  for (const char* text : {R"({"format":2})", R"({"format":99999999999999999999,"x":[]})"}) {
    const auto payload = decode_segment_opened(text, "segment");
    ASSERT_FALSE(payload);
    EXPECT_EQ(payload.error().code, ErrorCode::kCannotTell) << text;
    EXPECT_EQ(payload.error().cause, "newer-version");
  }
}

TEST(JournalPayload, NumbersPastTheirTypeAndReversedRangesAreCorrupt) {
  std::string text = encode(sync_error()).json();
  EXPECT_FALSE(decode_journal_sync_error(text.replace(text.find("43"), 2, "18446744073709551616"),
                                         "segment"));
  EXPECT_FALSE(decode_journal_sync_error(
      R"({"segment":1,"error":"eio","unknown_from":9,"unknown_to":8})", "segment"));
}

TEST(JournalPayload, KindsHaveTheirWords) {
  EXPECT_EQ(to_text(JournalRepaired::Kind::kTorn), "torn");
  EXPECT_EQ(to_text(JournalRepaired::Kind::kLost), "lost");
  EXPECT_EQ(to_text(JournalRepaired::Kind::kDamaged), "damaged");
}

}  // namespace
}  // namespace holdfast
