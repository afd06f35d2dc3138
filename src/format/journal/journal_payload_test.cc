// SPDX-License-Identifier: Apache-2.0
#include "format/journal/journal_payload.h"

#include <gtest/gtest.h>

#include <limits>

#include "format/journal/event_type.h"
#include "format/json/json.h"

namespace holdfast {
namespace {

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
