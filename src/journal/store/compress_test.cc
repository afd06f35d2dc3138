// SPDX-License-Identifier: Apache-2.0
#include "journal/store/compress.h"

#include <algorithm>

#include "journal/read/count.h"
#include "journal/read/reader_fixture.h"
#include "journal/read/segment_source.h"
#include "journal/read/verify.h"

namespace holdfast::journal {
namespace {

class CompressTest : public ReaderTest {
 protected:
  void SetUp() override {
    // Several blocks of the packer, and data that does not pack to nothing.
    for (int i = 0; i < 4000; ++i) {
      journal_.append(i % 3 == 0 ? "x.a" : "x.b", "{\"i\":" + std::to_string(i * 7919) + "}");
    }
    journal_.next_segment().append("x.c");
    journal_.save(temp_.dir());
  }
  std::string packed() {
    const auto file = temp_.dir().open_file(segment_name(kPacked), os::Access::kRead);
    return (*file)->read_at(0, 10'000'000).value();
  }
  static constexpr SegmentRef kPacked{.first_seq = 1, .compressed = true};
};

TEST_F(CompressTest, EveryReaderAnswersTheSameFromACompressedSegment) {
  const auto before = verify(open());
  const auto count_before = count(open(), {.by = {"type"}, .use_index = false});
  const auto compressed = compress_segment(temp_.dir(), 1);
  ASSERT_TRUE(compressed) << to_sentence(compressed.error());
  EXPECT_LT(compressed->bytes_after, compressed->bytes_before / 2);
  EXPECT_FALSE(*temp_.dir().info(segment_name({.first_seq = 1})));

  const auto after = verify(open());
  ASSERT_TRUE(after);
  EXPECT_EQ(kinds(after->damaged), Kinds{});
  EXPECT_EQ(after->head, before->head);
  EXPECT_EQ(after->records, before->records);
  for (const bool use_index : {false, true, true}) {
    const auto counted = count(open(), {.by = {"type"}, .use_index = use_index});
    EXPECT_EQ(counted->groups, count_before->groups);
  }
  Seqs seqs;
  ASSERT_TRUE(
      scan(open(), {.reverse = true}, [&](const ScannedRecord& record) -> Result<os::Visit> {
        seqs.push_back(record.record.fields.seq);
        return os::Visit::kContinue;
      }));
  ASSERT_EQ(seqs.size(), 4004U);
  EXPECT_EQ(seqs.front(), 4004U);
  EXPECT_EQ(seqs.back(), 1U);
  EXPECT_TRUE(compress_segment(temp_.dir(), 1)->already);
}

TEST_F(CompressTest, OnlyASealedSegmentIsCompressed) {
  const auto live = compress_segment(temp_.dir(), journal_.first_seq(1));
  ASSERT_FALSE(live);
  EXPECT_EQ(live.error().cause, "not-sealed");
  EXPECT_EQ(compress_segment(temp_.dir(), 2).error().code, ErrorCode::kNotFound);
}

TEST_F(CompressTest, ACopyThatDiffersIsRemovedAndTheSegmentStays) {
  put_file(temp_.dir(), segment_name(kPacked).str(), "not zstd");
  const auto compressed = compress_segment(temp_.dir(), 1);
  ASSERT_FALSE(compressed);
  EXPECT_EQ(compressed.error().cause, "compressed-differs");
  EXPECT_FALSE(*temp_.dir().info(segment_name(kPacked)));
  EXPECT_TRUE(verify(open())->damaged.empty());
  EXPECT_TRUE(compress_segment(temp_.dir(), 1));
}

TEST_F(CompressTest, ASnapshotFromBeforeReadsOn) {
  const Snapshot before = open();
  ASSERT_TRUE(compress_segment(temp_.dir(), 1));
  const auto counted = count(before, {});
  ASSERT_TRUE(counted) << to_sentence(counted.error());
  EXPECT_EQ(counted->count, 4004U);
  EXPECT_TRUE(counted->damaged.empty());
}

TEST_F(CompressTest, ACutFileIsDamageInBothDirectionsAndItsFrontIsStillRead) {
  ASSERT_TRUE(compress_segment(temp_.dir(), 1));
  const std::string whole = packed();
  put_file(temp_.dir(), segment_name(kPacked).str(), whole.substr(0, whole.size() / 2));
  std::size_t forwards = 0;
  for (const bool reverse : {false, true}) {
    std::size_t visited = 0;
    const auto result =
        scan(open(), {.reverse = reverse}, [&](const ScannedRecord&) -> Result<os::Visit> {
          ++visited;
          return os::Visit::kContinue;
        });
    ASSERT_TRUE(result) << to_sentence(result.error());
    EXPECT_TRUE(any_unexplained(result->damaged));
    EXPECT_GT(visited, 500U);
    if (!reverse) forwards = visited;
    EXPECT_EQ(visited, forwards);
    EXPECT_NE(std::ranges::count(kinds(result->damaged), "compressed"), 0);
  }
}

TEST_F(CompressTest, EveryFlippedByteIsNoticed) {
  ASSERT_TRUE(compress_segment(temp_.dir(), 1));
  const std::string whole = packed();
  for (std::size_t i = 0; i < whole.size(); i += whole.size() / 40) {
    std::string bad = whole;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    put_file(temp_.dir(), segment_name(kPacked).str(), bad);
    const auto result = verify(open());
    ASSERT_TRUE(result);
    EXPECT_TRUE(any_unexplained(result->damaged)) << i;
  }
}

}  // namespace
}  // namespace holdfast::journal
