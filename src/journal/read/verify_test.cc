// SPDX-License-Identifier: Apache-2.0
#include "journal/read/verify.h"

#include <gtest/gtest.h>

#include "format/journal/journal_record.h"
#include "format/text/crc32c.h"
#include "journal/read/reader_fixture.h"
#include "journal/store/blob_store.h"
#include "journal/store/chain.h"
#include "journal/write/continuity.h"

namespace holdfast::journal {
namespace {

class VerifyTest : public ReaderTest {
 protected:
  VerifyResult verified(VerifyOptions options = {}) {
    auto result = verify(snapshot(), options);
    EXPECT_TRUE(result) << to_sentence(result.error());
    return result ? *std::move(result) : VerifyResult{};
  }
  Anchor anchor_now() {
    return {.journal = journal_.id(), .seq = journal_.last_seq(), .head = journal_.head()};
  }
  // The record at `line` of the first segment with other data, its checksum and own hash made
  // right; what follows still continues the old one.
  void rewrite(std::size_t line, std::string_view data) {
    std::string& text = journal_.segment(0);
    const std::size_t at = journal_.line(0, line);
    const std::size_t end = text.find('\n', at) + 1;
    const std::string old = text.substr(at, end - at - 1);
    const auto record = decode_record(old);
    ASSERT_TRUE(record);
    RecordFields fields = record->fields;
    fields.data = data;
    std::string fresh;
    encode_record_body(fields, fresh);
    const std::size_t before = journal_.line(0, line - 1);
    const std::string previous = text.substr(before, at - before - 1);
    const Digest hash = chain_hash(journal_.id(), decode_record(previous)->hash, fresh);
    encode_record_tail(hash, fresh);
    text.replace(at, end - at, fresh);
  }
};

TEST_F(VerifyTest, ASoundJournalHasNumbersHeadAndNoDamage) {
  journal_.append(5, "x.a").next_segment().append(2, "x.b");
  const VerifyResult result = verified();
  EXPECT_EQ(kinds(result.damaged), Kinds{});
  EXPECT_EQ(result.records, 10U);
  EXPECT_EQ(result.segments, 2U);
  EXPECT_EQ(result.first_seq, 1U);
  EXPECT_EQ(result.last_seq, 10U);
  EXPECT_EQ(result.head, journal_.head());
  EXPECT_FALSE(result.pinned);
  EXPECT_FALSE(result.pinned_to);
}

TEST_F(VerifyTest, EveryFlippedBitOfASmallJournalIsFound) {
  journal_.append("x.a", R"({"k":"v"})").append("x.b");
  const std::string sound = journal_.last();
  for (std::size_t i = 0; i < sound.size(); ++i) {
    if (i + 1 == sound.size()) continue;  // the last newline: then the record is unfinished
    journal_.last() = sound;
    journal_.last()[i] = static_cast<char>(journal_.last()[i] ^ 1 << i % 8);
    const auto result = verify(snapshot());
    const bool newer = !result && result.error().code == ErrorCode::kCannotTell;
    EXPECT_TRUE(newer || (result && any_unexplained(result->damaged))) << "byte " << i;
  }
}

TEST_F(VerifyTest, ARewrittenRecordIsFoundByTheNextHash) {
  journal_.append("x.a", R"({"k":"v"})").append("x.b").append("x.c");
  rewrite(1, R"({"k":"w"})");
  const VerifyResult result = verified();
  ASSERT_EQ(kinds(result.damaged), Kinds{"chain"});
  EXPECT_EQ(result.damaged[0].offset, journal_.line(0, 2));
  scanned();
  EXPECT_TRUE(scanned_.damaged.empty()) << "a scan does not check hashes";
}

TEST_F(VerifyTest, ARewrittenEndIsFoundByTheNextHeaderAndTheSeal) {
  journal_.append("x.a", R"({"k":"v"})").next_segment().append("x.b");
  rewrite(1, R"({"k":"w"})");
  EXPECT_EQ(kinds(verified().damaged), Kinds{"chain"}) << "the seal does not continue it";
}

TEST_F(VerifyTest, ASealThatContradictsItsSegmentIsDamage) {
  journal_.append("x.a").append("x.b");
  SegmentSealed seal{
      .records = 3, .seqs = {1, 3}, .head = journal_.head(), .root = {}, .counts = {}};
  journal_.append("journal.sealed", encode(seal)).next_segment_without_seal();
  const VerifyResult result = verified();
  ASSERT_EQ(kinds(result.damaged), Kinds{"seal"});
  EXPECT_NE(result.damaged[0].says.find("Merkle root, counts by type"), std::string::npos)
      << result.damaged[0].says;
  EXPECT_EQ(result.damaged[0].says.find("number of records"), std::string::npos);
}

TEST_F(VerifyTest, ARecordBehindTheSealIsDamage) {
  journal_.append("x.a").seal().append("x.late").next_segment_without_seal();
  EXPECT_EQ(kinds(verified().damaged), Kinds{"seal"});
}

TEST_F(VerifyTest, AMissingBlobIsDamage) {
  journal_.append("x.a", blob_data({.digest = {}, .segment = 1}, 5));
  const VerifyResult result = verified();
  EXPECT_EQ(kinds(result.damaged), Kinds{"blob"});
  EXPECT_EQ(result.blobs, 1U);
  EXPECT_TRUE(verified({.anchors = {}, .blobs = false}).damaged.empty());
}

TEST_F(VerifyTest, AnAnchorOfTheLastRecordPinsTheTail) {
  journal_.append("x.a");
  const Anchor anchor = anchor_now();
  VerifyResult result = verified({.anchors = {anchor}});
  EXPECT_TRUE(result.pinned);
  EXPECT_EQ(result.pinned_to, 2U);
  EXPECT_EQ(result.anchors[0].state, AnchorVerdict::State::kHolds);
  journal_.append("x.b");
  result = verified({.anchors = {anchor}});
  EXPECT_FALSE(result.pinned);
  EXPECT_EQ(result.pinned_to, 2U);
  EXPECT_TRUE(result.damaged.empty());
}

TEST_F(VerifyTest, ACutOrRewrittenTailThatVerifiesFailsItsAnchor) {
  journal_.append("x.a");
  JournalBuilder other = journal_;
  const Anchor anchor = (journal_.append("x.b"), anchor_now());
  std::swap(journal_, other);  // cut off
  VerifyResult result = verified({.anchors = {anchor}});
  EXPECT_EQ(kinds(result.damaged), Kinds{"anchor"});
  EXPECT_EQ(result.anchors[0].state, AnchorVerdict::State::kFails);
  journal_.append("x.c");  // written anew
  result = verified({.anchors = {anchor}});
  EXPECT_EQ(kinds(result.damaged), Kinds{"anchor"});
  EXPECT_FALSE(result.pinned);
}

TEST_F(VerifyTest, AnAnchorOfAnotherJournalFails) {
  Anchor anchor = anchor_now();
  anchor.journal.bytes[0] ^= 1;
  EXPECT_EQ(kinds(verified({.anchors = {anchor}}).damaged), Kinds{"anchor"});
}

TEST_F(VerifyTest, AnAnchorIntoDroppedSegmentsIsNoAlarm) {
  journal_.append("x.a");
  const Anchor anchor = anchor_now();
  journal_.next_segment();
  JournalRetention retention;
  retention.dropped.push_back({.seqs = {1, 3}, .bytes = 1, .head = {}});
  journal_.append("journal.retention", encode(retention)).save(temp_.dir());
  ASSERT_TRUE(temp_.dir().remove_file(segment_name({.first_seq = 1})));
  const auto result = verify(open(), {.anchors = {anchor}});
  EXPECT_EQ(kinds(result->damaged), Kinds{"missing-segment (explained)"});
  EXPECT_EQ(result->anchors[0].state, AnchorVerdict::State::kDropped);
}

constexpr std::string_view kGolden =
    R"({"v":1,"journal":"000102030405060708090a0b0c0d0e0f","seq":7,)"
    R"("head":"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","time":"2024-02-29T12:30:45.123Z"})"
    "\n";

Anchor golden() {
  Anchor anchor{.journal = *parse_id128("000102030405060708090a0b0c0d0e0f"),
                .seq = 7,
                .time = WallTime(std::chrono::milliseconds(1'709'209'845'123))};
  anchor.head.bytes[0] = 1;
  return anchor;
}

TEST(Anchor, GoldenLineIsWrittenAndRead) {
  EXPECT_EQ(encode_anchor(golden()), kGolden);
  const auto anchor = parse_anchor(kGolden, "a");
  ASSERT_TRUE(anchor);
  EXPECT_EQ(*anchor, golden());
}

TEST(Anchor, CutAtEveryByteItIsCorrupt) {
  for (std::size_t length = 0; length + 1 < kGolden.size(); ++length) {
    const auto anchor = parse_anchor(kGolden.substr(0, length), "a");
    ASSERT_FALSE(anchor) << length;
    EXPECT_EQ(anchor.error().code, ErrorCode::kCorrupt);
  }
}

TEST(Anchor, ANewerOneIsCannotTell) {
  EXPECT_EQ(parse_anchor(R"({"v":2})", "a").error().code, ErrorCode::kCannotTell);
}

TEST(Anchor, EveryWrongFieldIsCorrupt) {
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"0001", "00x1"},
                                                        {":7", ":-7"},
                                                        {":7", ":0"},
                                                        {":7", ":7.5"},
                                                        {"AQAA", "AQA"},
                                                        {"2024", "24"},
                                                        {"\"time\"", "\"tame\""}}) {
    std::string line(kGolden);
    line.replace(line.find(from), from.size(), to);
    const auto anchor = parse_anchor(line, "a");
    ASSERT_FALSE(anchor) << line;
    EXPECT_EQ(anchor.error().code, ErrorCode::kCorrupt);
  }
}

TEST(Anchor, AFileOfThemIsReadAndABadLineIsNamed) {
  const std::string twice = std::string(kGolden) + "\n" + std::string(kGolden);
  EXPECT_EQ(parse_anchors(twice, "f")->anchors.size(), 2U);
  for (const char* nothing : {"", "\n", "\n\n"}) {
    const auto none = parse_anchors(nothing, "f");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kCorrupt);
  }
  const auto bad = parse_anchors("\nx\n", "f");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().subject, "f:2");
  const auto newer = parse_anchors(std::string(kGolden) + "{\"v\":2}\n", "f");
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::kCannotTell);
}

TEST(Anchor, ALastLineCutAtAnyByteTakesNothingFromTheWholeOnes) {
  const std::string_view whole = kGolden.substr(0, kGolden.size() - 1);
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const std::string text = std::string(kGolden) + std::string(whole.substr(0, length));
    for (const bool goes_on : {false, true}) {
      const auto lines = parse_anchors(goes_on ? text + "\n" + std::string(kGolden) : text, "f");
      ASSERT_TRUE(lines) << length;
      EXPECT_EQ(lines->anchors.size(), goes_on ? 2U : 1U);
      EXPECT_EQ(lines->bad, (std::vector<BadAnchorLine>{
                                {.anchors_before = 1, .says = "f:2: it is not one JSON object"}}));
    }
  }
  EXPECT_EQ(parse_anchors(whole, "f")->anchors.size(), 1U);  // whole but for its newline
}

class ContinuityTest : public ReaderTest {
 protected:
  static std::string repaired(JournalRepaired::Kind kind, std::uint64_t segment,
                              std::uint64_t offset, std::uint64_t bytes,
                              std::optional<SeqRange> lost, bool same_boot = false) {
    JournalRepaired payload;
    payload.same_boot = same_boot;
    payload.kind = kind;
    payload.segment = segment;
    payload.offset = offset;
    payload.bytes = bytes;
    payload.lost = lost;
    return encode(payload).json();
  }
  static std::string lost(std::uint64_t first, std::uint64_t last) {
    return repaired(JournalRepaired::Kind::kLost, 1, 0, 0, SeqRange{first, last});
  }
  static std::string sync_error(std::uint64_t segment) {
    JournalSyncError payload;
    payload.segment = segment;
    payload.error = "eio";
    return encode(payload).json();
  }
  static std::string retention(std::uint64_t first, std::uint64_t last) {
    JournalRetention payload;
    payload.dropped.push_back({.seqs = {first, last}, .bytes = 1, .head = {}});
    return encode(payload).json();
  }
  // Scan and verify must agree.
  Kinds found() {
    const auto verified = verify(snapshot());
    EXPECT_TRUE(verified);
    scanned();
    EXPECT_EQ(kinds(scanned_.damaged), kinds(verified->damaged));
    return kinds(verified->damaged);
  }
  void remove(std::size_t segment) {
    ASSERT_TRUE(temp_.dir().remove_file(segment_name({.first_seq = journal_.first_seq(segment)})));
  }
  Kinds found_without(std::size_t segment) {
    journal_.save(temp_.dir());
    remove(segment);
    const auto verified = verify(open());
    return kinds(verified->damaged);
  }
};

TEST_F(ContinuityTest, AGapIsExplainedOnlyByARecordDirectlyBehindItThatNamesExactlyIt) {
  journal_.append("x.a").skip(3).append("journal.repaired", lost(3, 5));
  EXPECT_EQ(found(), Kinds{"gap (explained)"});
  for (const auto& wrong : {lost(3, 4), lost(2, 5), lost(3, 6)}) {
    journal_ = JournalBuilder();
    journal_.append("x.a").skip(3).append("journal.repaired", wrong);
    EXPECT_EQ(found(), Kinds{"gap"}) << wrong;
  }
  journal_ = JournalBuilder();
  journal_.append("x.a").skip(3).append("x.b").append("journal.repaired", lost(3, 5));
  EXPECT_EQ(found(), Kinds{"gap"}) << "not directly behind";
}

TEST_F(ContinuityTest, ALossWithinOneBootIsNotExplainedByItsWriter) {
  using Kind = JournalRepaired::Kind;
  journal_.append("x.a").skip(3);
  journal_.append("journal.repaired", repaired(Kind::kLost, 1, 0, 0, SeqRange{3, 5}, true));
  EXPECT_EQ(found(), Kinds{"gap"});
}

TEST_F(ContinuityTest, AGapBeforeASegmentIsExplainedBehindItsHeader) {
  journal_.append("x.a").skip(2).next_segment_without_seal();
  journal_.append("journal.repaired", lost(3, 4));
  // The header tells where the segment before ends; the builder takes the lost ones for real.
  EXPECT_EQ(found(), (Kinds{"no-seal (explained)", "gap (explained)"}));
}

TEST_F(ContinuityTest, AMissingSealIsExplainedByTheSecondRecordOfTheNextSegment) {
  journal_.append("x.a").next_segment_without_seal().append("journal.sync_error", sync_error(1));
  EXPECT_EQ(found(), Kinds{"no-seal (explained)"});
  journal_ = JournalBuilder();
  journal_.append("x.a").next_segment_without_seal().append("x.b");
  journal_.append("journal.sync_error", sync_error(1));
  EXPECT_EQ(found(), Kinds{"no-seal"}) << "not the second record";
  journal_ = JournalBuilder();
  journal_.append("x.a").next_segment_without_seal().append("journal.sync_error", sync_error(2));
  EXPECT_EQ(found(), Kinds{"no-seal"}) << "names another segment";
}

TEST_F(ContinuityTest, MissingOldestSegmentsAreExplainedByRetention) {
  journal_.append(3, "x.a").next_segment().append("x.b");
  EXPECT_EQ(found_without(0), Kinds{"missing-segment"});
  journal_.append("journal.retention", retention(1, 4));
  EXPECT_EQ(found_without(0), Kinds{"missing-segment"}) << "another range";
  journal_.append("journal.retention", retention(1, 5));
  EXPECT_EQ(found_without(0), Kinds{"missing-segment (explained)"});
}

TEST_F(ContinuityTest, ASegmentMissingInTheMiddleIsSaidWithItsNumbers) {
  journal_.append("x.a").next_segment().append("x.b").next_segment().append("x.c");
  EXPECT_EQ(found_without(1), Kinds{"missing-segment"});
  const auto verified = verify(open());
  EXPECT_EQ(verified->damaged[0].lost, (SeqRange{4, 6}));
}

TEST_F(ContinuityTest, DamagedBytesAreExplainedByARepairThatCoversThem) {
  using Kind = JournalRepaired::Kind;
  journal_.append("x.a").append("x.b").append("x.c");
  const std::size_t at = journal_.line(0, 2);
  journal_.last()[at + 40] ^= 1;
  const std::size_t bytes = journal_.line(0, 3) - at;
  journal_.append("journal.repaired", repaired(Kind::kDamaged, 1, at, bytes - 1, {}));
  EXPECT_EQ(found(), Kinds{"checksum"});
  journal_.append("journal.repaired", repaired(Kind::kDamaged, 2, at, bytes, {}));
  EXPECT_EQ(found(), Kinds{"checksum"});
  journal_.append("journal.repaired", repaired(Kind::kDamaged, 1, at, bytes, {}));
  EXPECT_EQ(found(), Kinds{"checksum (explained)"});
}

TEST_F(ContinuityTest, ADamagedSealIsOneDamageAndOneRepairExplainsIt) {
  journal_.append("x.a").next_segment().append("x.b");
  const std::size_t seal = journal_.line(0, 2);
  journal_.segment(0)[seal + 40] ^= 1;
  EXPECT_EQ(found(), Kinds{"checksum"});
  EXPECT_EQ(scanned_.damaged[0].lost, (SeqRange{3, 3}));
  journal_.append("journal.repaired", repaired(JournalRepaired::Kind::kDamaged, 1, seal,
                                               journal_.segment(0).size() - seal, {}));
  EXPECT_EQ(found(), Kinds{"checksum (explained)"});
}

TEST_F(ContinuityTest, ATornEndOfAnOlderSegmentIsDamage) {
  journal_.append("x.a").append("x.b");
  journal_.last().resize(journal_.last().size() - 5);
  journal_.skip(0).next_segment_without_seal();
  EXPECT_EQ(found(), (Kinds{"unfinished", "no-seal", "gap"}));
}

TEST_F(ContinuityTest, ASegmentOfAnotherJournalIsDamage) {
  journal_.append("x.a").next_segment().append("x.b");
  JournalBuilder other(parse_id128("ffffffffffffffffffffffffffffffff").value());
  other.append("x.a").next_segment().append("x.b");
  journal_.segment(1) = other.segment(1);
  const auto verified = verify(snapshot());
  EXPECT_EQ(kinds(verified->damaged), (Kinds{"chain", "header"}));
}

}  // namespace
}  // namespace holdfast::journal
