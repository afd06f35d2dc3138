// SPDX-License-Identifier: Apache-2.0
#include "journal/write/continuity.h"

#include "journal/read/reader_fixture.h"
#include "journal/read/verify.h"

namespace holdfast::journal {
namespace {

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
