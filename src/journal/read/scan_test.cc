// SPDX-License-Identifier: Apache-2.0
#include "journal/read/scan.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "journal/read/line_reader.h"
#include "journal/read/reader_fixture.h"

namespace holdfast::journal {
namespace {

using ScanTest = ReaderTest;

TEST_F(ScanTest, RecordsComeInOrderOverSegmentsAndBackwardsInReverse) {
  journal_.append("x.a").append("x.b").next_segment().append("x.c");
  EXPECT_EQ(scanned(), (Seqs{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(scanned_.damaged.empty()) << kinds(scanned_.damaged)[0];
  EXPECT_EQ(scanned({.reverse = true}), (Seqs{6, 5, 4, 3, 2, 1}));
  EXPECT_TRUE(scanned_.damaged.empty()) << kinds(scanned_.damaged)[0];
}

TEST_F(ScanTest, NoSegmentIsAnEmptyJournalAndNoError) {
  const auto now = Snapshot::open(temp_.dir());
  ASSERT_TRUE(now);
  EXPECT_TRUE(now->empty());
  EXPECT_FALSE(now->journal_id());
}

TEST_F(ScanTest, FromSeqLeavesOutWhatIsBefore) {
  journal_.append(3, "x.a").next_segment().append(3, "x.b");
  EXPECT_EQ(scanned({.from_seq = 8}), (Seqs{8, 9}));
  EXPECT_TRUE(scanned_.damaged.empty());
  EXPECT_EQ(scanned({.from_seq = 8, .reverse = true}), (Seqs{9, 8}));
  EXPECT_EQ(scanned({.from_seq = 3}).front(), 3U);
}

TEST_F(ScanTest, TimesAreWallTimesWithTheStartInsideAndTheEndOutside) {
  journal_.at(1000).append("x.a").at(2000).append("x.a").at(1500).append("x.a");
  EXPECT_EQ(scanned({.since_us = 1000, .until_us = 2000}), (Seqs{2, 4}));
}

TEST_F(ScanTest, AnEarlyStopReadsNoFurtherAndResumesBehindIt) {
  journal_.append(4, "x.a").next_segment().append(2, "x.b");
  stop_after_ = 3;
  EXPECT_EQ(scanned(), (Seqs{1, 2, 3}));
  EXPECT_TRUE(scanned_.stopped);
  stop_after_ = 0;
  EXPECT_EQ(scanned({.resume = scanned_.end}), (Seqs{4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(scanned({.resume = scanned_.end}), Seqs{});
  journal_.append("x.new");
  EXPECT_EQ(scanned({.resume = scanned_.end}), Seqs{10});
  EXPECT_TRUE(scanned_.damaged.empty());
}

TEST_F(ScanTest, AnUnfinishedEndIsNoDamageAndIsReadWhenItIsFinished) {
  journal_.append("x.a").append("x.b");
  const std::string whole = journal_.last();
  const std::string rest = whole.substr(whole.size() - 20);
  journal_.last().resize(whole.size() - 20);
  EXPECT_EQ(scanned(), (Seqs{1, 2}));
  EXPECT_TRUE(scanned_.damaged.empty());
  EXPECT_EQ(scanned_.unfinished_bytes, whole.size() - 20 - journal_.line(0, 2));
  journal_.last() += rest;
  EXPECT_EQ(scanned({.resume = scanned_.end}), Seqs{3});
}

TEST_F(ScanTest, WhatIsWrittenAfterTheSnapshotIsNotRead) {
  journal_.append("x.a");
  const Snapshot before = snapshot();
  journal_.append("x.b").save(temp_.dir());
  std::uint64_t last = 0;
  ASSERT_TRUE(scan(before, {}, [&](const ScannedRecord& record) -> Result<os::Visit> {
    last = record.record.fields.seq;
    return os::Visit::kContinue;
  }));
  EXPECT_EQ(last, 2U);
}

TEST_F(ScanTest, DamageOnDifferentPlacesIsSaidWithOffsetsAndTheSameInBothDirections) {
  journal_.append(6, "x.a").next_segment().append(6, "x.b");
  journal_.segment(0)[journal_.line(0, 2) + 40] ^= 1;                  // checksum
  journal_.segment(0).insert(journal_.line(0, 4), "rubbish\nmore\n");  // no records
  journal_.segment(1).erase(journal_.line(1, 3), journal_.line(1, 5) - journal_.line(1, 3));
  EXPECT_EQ(scanned().size(), 12U);
  EXPECT_EQ(kinds(scanned_.damaged), (Kinds{"checksum", "not-a-record", "gap"}));
  ASSERT_EQ(scanned_.damaged.size(), 3U);
  EXPECT_EQ(scanned_.damaged[0].offset, journal_.line(0, 2));
  EXPECT_EQ(scanned_.damaged[0].lost, (SeqRange{3, 3}));
  EXPECT_EQ(scanned_.damaged[1].bytes, 13U) << "neighbours are one place";
  EXPECT_EQ(scanned_.damaged[2].lost, (SeqRange{12, 13}));
  const auto forwards = scanned_.damaged;
  EXPECT_EQ(scanned({.reverse = true}).size(), 12U);
  EXPECT_EQ(scanned_.damaged, forwards);
}

TEST_F(ScanTest, ALineLongerThanAnyRecordIsReportedOnceAndReadingGoesOn) {
  journal_.append("x.a").append("x.b");
  journal_.last().insert(journal_.line(0, 2), std::string(3'000'000, 'z') + "\n");
  for (const bool reverse : {false, true}) {
    EXPECT_EQ(scanned({.reverse = reverse}).size(), 3U);
    ASSERT_EQ(kinds(scanned_.damaged), Kinds{"too-long"});
    EXPECT_EQ(scanned_.damaged[0].bytes, 3'000'001U);
  }
}

TEST_F(ScanTest, AFileOfRubbishGivesABoundedList) {
  for (int i = 0; i < 3000; ++i) journal_.append("x.a").last() += i % 2 == 0 ? "a\n" : "";
  EXPECT_EQ(scanned().size(), 3001U);
  ASSERT_EQ(scanned_.damaged.size(), 1000U);
  EXPECT_EQ(scanned_.damaged.back().kind, "many");
  EXPECT_LE(scanned_.damaged.back().offset + scanned_.damaged.back().bytes, journal_.last().size());
}

TEST_F(ScanTest, DamageIsToldAtOnceToWhoeverListens) {
  journal_.append("x.a").append("x.b").append("x.c");
  journal_.last()[journal_.line(0, 1) + 40] ^= 1;
  const Snapshot now = snapshot();
  std::vector<std::string> order;
  ASSERT_TRUE(scan(
      now, {},
      [&](const ScannedRecord& record) -> Result<os::Visit> {
        order.emplace_back(record.record.fields.type);
        return os::Visit::kContinue;
      },
      [&](const Damage& damage) { order.push_back(damage.kind); }));
  EXPECT_EQ(order, (std::vector<std::string>{"journal.opened", "checksum", "x.b", "x.c"}));
}

TEST_F(ScanTest, AReverseScanThatStopsAnywhereReportsNothingOfASoundJournal) {
  journal_.append(2, "x.a").next_segment().next_segment().append("x.b");
  const std::size_t all = scanned().size();
  for (stop_after_ = 1; stop_after_ <= all; ++stop_after_) {
    EXPECT_EQ(scanned({.reverse = true}).size(), stop_after_);
    EXPECT_EQ(kinds(scanned_.damaged), Kinds{}) << "stopped behind " << stop_after_;
  }
}

TEST_F(ScanTest, AScanResumesBehindASealAndBehindDamageWithoutFindingMoreDamage) {
  journal_.append("x.a").seal();
  scanned();
  EXPECT_TRUE(scanned_.end.sealed);
  journal_.next_segment_without_seal().append("x.b");
  EXPECT_EQ(scanned({.resume = scanned_.end}), (Seqs{4, 5}));
  EXPECT_EQ(kinds(scanned_.damaged), Kinds{}) << "the seal was read before";

  journal_.append("x.c");
  journal_.last()[journal_.line(1, 2) + 40] ^= 1;
  scanned({.resume = scanned_.end});
  EXPECT_EQ(kinds(scanned_.damaged), Kinds{"checksum"});
  const Position behind_damage = scanned_.end;
  journal_.append("x.d");
  EXPECT_EQ(scanned({.resume = behind_damage}), Seqs{7});
  EXPECT_EQ(kinds(scanned_.damaged), Kinds{}) << "the damage was reported before";
}

TEST_F(ScanTest, AResumedScanStillSeesThatASegmentHasNoSealAndThatOneIsMissing) {
  journal_.append("x.a");
  scanned();
  const Position end = scanned_.end;
  journal_.next_segment_without_seal().append("x.b");
  EXPECT_EQ(scanned({.resume = end}), (Seqs{3, 4}));
  EXPECT_EQ(kinds(scanned_.damaged), Kinds{"no-seal"});
  journal_.next_segment().append("x.c");
  const Position sealed = {
      .segment = 3, .offset = journal_.segment(1).size(), .next_seq = 6, .sealed = true};
  journal_.next_segment().next_segment();
  journal_.save(temp_.dir());
  ASSERT_TRUE(temp_.dir().remove_file(segment_name({.first_seq = 6})));
  const Snapshot now = open();
  const auto result = scan(now, {.resume = sealed}, [](const ScannedRecord& /*record*/) {
    return Result<os::Visit>(os::Visit::kContinue);
  });
  ASSERT_TRUE(result);
  EXPECT_EQ(kinds(result->damaged), Kinds{"missing-segment"});
}

TEST_F(ScanTest, EveryReadableRecordIsVisitedInBothDirectionsWhateverItsNumber) {
  journal_.append(6, "x.a").next_segment().append(6, "x.b");
  std::string& text = journal_.segment(1);
  const std::string third =
      text.substr(journal_.line(1, 2), journal_.line(1, 3) - journal_.line(1, 2));
  text.insert(journal_.line(1, 5), third);                 // twice
  journal_.segment(0).insert(journal_.line(0, 5), third);  // a number from far ahead
  for (const std::uint64_t from : {0U, 10U, 12U}) {
    Seqs forwards = scanned({.from_seq = from});
    const auto damaged = scanned_.damaged;
    const Seqs backwards = scanned({.from_seq = from, .reverse = true});
    EXPECT_EQ(scanned_.damaged, damaged);
    std::ranges::reverse(forwards);
    EXPECT_EQ(backwards, forwards) << "from " << from;
  }
}

class NotAFileTest : public ScanTest, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(NotAFileTest, SomethingElseInTheSegmentsPlaceIsDamageAndTheRestIsRead) {
  journal_.append("x.a").next_segment().append("x.b").next_segment().append("x.c");
  journal_.save(temp_.dir());
  const SegmentRef ref{.first_seq = journal_.first_seq(GetParam())};
  const std::filesystem::path path = temp_.dir().path_of(segment_name(ref));
  for (const bool link : {false, true}) {
    std::filesystem::remove(path);
    if (link) {
      std::error_code refused;
      std::filesystem::create_symlink("nowhere", path, refused);
      if (refused == std::errc::function_not_supported) continue;  // mingw's library has no links
    } else {
      std::filesystem::create_directory(path);
    }
    const Snapshot now = open();
    for (const bool reverse : {false, true}) {
      std::uint64_t visited = 0;
      const auto result =
          scan(now, {.reverse = reverse}, [&](const ScannedRecord& record) -> Result<os::Visit> {
            EXPECT_NE(record.segment, ref.first_seq);
            ++visited;
            return os::Visit::kContinue;
          });
      ASSERT_TRUE(result) << to_sentence(result.error());
      EXPECT_EQ(visited, GetParam() == 2 ? 6U : 5U);
      const auto found = std::ranges::find(result->damaged, "header", &Damage::kind);
      ASSERT_NE(found, result->damaged.end());
      EXPECT_EQ(found->segment, ref.first_seq);
      EXPECT_EQ(found->says, std::string(link ? "a link" : "a directory") +
                                 " stands in the place of the segment");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Segment, NotAFileTest, ::testing::Values(0U, 1U, 2U));

struct Read {
  std::uint64_t offset;
  std::uint64_t bytes;
  Line::Kind kind;
  std::string text;
  bool operator==(const Read&) const = default;
};

class LineReaderTest : public ReaderTest {
 protected:
  static constexpr SegmentRef kRef{.first_seq = 1};

  template <typename Reader>
  static std::vector<Read> all(Reader reader) {
    std::vector<Read> out;
    for (Line line; reader.next(line).value();) {
      out.push_back({line.offset, line.bytes, line.kind, std::string(line.text)});
    }
    return out;
  }
  // What is expected, in the plainest way.
  static std::vector<Read> split(std::string_view text) {
    std::vector<Read> out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t newline = text.find('\n', at);
      const bool whole = newline != std::string_view::npos;
      const std::size_t end = whole ? newline + 1 : text.size();
      const bool fits = end - at <= kMaxRecordBytes;
      Line::Kind kind = fits ? Line::Kind::kWhole : Line::Kind::kTooLong;
      if (!whole) kind = Line::Kind::kUnfinished;
      const std::string_view line = text.substr(at, end - at - (whole ? 1 : 0));
      out.push_back({at, end - at, kind, std::string(fits ? line : std::string_view())});
      at = end;
    }
    return out;
  }
  void expect_same(const std::string& text) {
    put_file(temp_.dir(), segment_name(kRef).str(), text);
    const SegmentFile file{.ref = kRef, .size = text.size(), .live = true};
    auto expected = split(text);
    EXPECT_TRUE(all(*LineReader::open(temp_.dir(), file)) == expected) << text.size();
    std::ranges::reverse(expected);
    EXPECT_TRUE(all(*ReverseLineReader::open(temp_.dir(), file)) == expected) << text.size();
  }
};

TEST_F(LineReaderTest, BothDirectionsReadTheSameLines) {
  for (const char* text : {"", "\n", "a", "a\n", "a\nb", "\n\n\na\n\n", "a\n\nb\n"}) {
    expect_same(text);
  }
}

TEST_F(LineReaderTest, LinesAroundTheLimitsOfBuffersAndRecords) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  for (const std::size_t length : {kMaxRecordBytes - 2, kMaxRecordBytes - 1, kMaxRecordBytes,
                                   kMaxRecordBytes + 1, kMiB - 1, kMiB, kMiB + 1, 2 * kMiB + 7}) {
    expect_same(std::string(length, 'x'));
    expect_same(std::string(length, 'x') + "\n");
    expect_same("before\n" + std::string(length, 'x') + "\nbehind\n");
  }
}

TEST_F(LineReaderTest, RandomTexts) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::string text;
    const std::size_t size = random() % 3'000'000;
    while (text.size() < size) {
      const std::size_t longest = random() % 50 == 0 ? 400'000 : 500;
      text.append(random() % longest, static_cast<char>('a' + random() % 20)) += '\n';
    }
    if (random() % 2 == 0) text += "end";
    expect_same(text);
  }
}

TEST_F(LineReaderTest, APartIsReadAsIfItWereAll) {
  put_file(temp_.dir(), segment_name(kRef).str(), "a\nbb\nccc\n");
  const SegmentFile file{.ref = kRef, .size = 9, .live = true};
  const auto part = all(*LineReader::open(temp_.dir(), file, 2, 5));
  ASSERT_EQ(part.size(), 1U);
  EXPECT_EQ(part[0].text, "bb");
  EXPECT_EQ(part[0].offset, 2U);
}

TEST_F(LineReaderTest, ARemovedSegmentIsBusyAndSaysWhy) {
  const auto lines = LineReader::open(temp_.dir(), {.ref = kRef, .size = 9});
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().code, ErrorCode::kBusy);
  EXPECT_EQ(lines.error().cause, "segment-removed");
}

}  // namespace
}  // namespace holdfast::journal
