// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "format/lock/lock_test_values.h"

namespace holdfast {
namespace {

std::string bytes_of(const LockRecord& record) { return encoded<kRecordBytes>(record); }

std::string bytes_of(std::uint64_t seq) {
  LockRecord record = test_record();
  record.seq = seq;
  return bytes_of(record);
}

const std::string kEmpty(kRecordBytes, '\0');
const std::string kTorn = bytes_of(7).substr(0, 512) + bytes_of(9).substr(512);
const std::string kNewer = resealed(with_byte(bytes_of(5), 0, 2));

TEST(LockRecord, SurvivesItsSlot) {
  EXPECT_EQ(value_of(decode_lock_record(bytes_of(test_record()))), test_record());
  EXPECT_EQ(value_of(decode_lock_record(bytes_of(LockRecord{}))), LockRecord{});
}

TEST(LockRecord, DamageIsNeverARecordAndNeverEmpty) {
  expect_piece_rules(bytes_of(test_record()), decode_lock_record);
}

TEST(LockRecord, AValueThatCannotBeIsRefused) {
  const std::string whole = bytes_of(test_record());
  const auto cause_with = [&](std::size_t at, int value) {
    return cause_of(decode_lock_record(resealed(with_byte(whole, at, value))));
  };
  EXPECT_EQ(cause_with(4, 3), "bad-field") << "state";
  EXPECT_EQ(cause_with(5, 2), "bad-field") << "mode";
  EXPECT_EQ(cause_with(6, 4), "bad-field") << "binding";
  EXPECT_EQ(cause_with(7, 3), "bad-field") << "yields";
  EXPECT_EQ(cause_with(8, 9), "bad-field") << "cause";
  EXPECT_EQ(cause_with(56 + 67, 0x80), "bad-field") << "a negative pid";
  EXPECT_EQ(cause_with(128 + 67, 0x80), "bad-field") << "a negative pid";
  EXPECT_EQ(cause_with(248, kMaxHost + 1), "bad-field") << "a text longer than its place";
  EXPECT_EQ(cause_with(320, kMaxReason + 1), "bad-field");
  EXPECT_EQ(cause_with(489, 1), "bad-field");
  EXPECT_EQ(cause_with(4, 2), "");
}

TEST(LockRecord, LongTextsAreCutAtACharacter) {
  LockRecord record = test_record();
  record.host = std::string(kMaxHost, 'h') + "x";
  record.reason = std::string(kMaxReason - 1, 'r') + "\xC3\xA9";
  record.command = std::string(kMaxCommand - 2, 'c') + "\xF0\x9F\x94\x92 more";
  const auto read = decode_lock_record(bytes_of(record));
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->host, std::string(kMaxHost, 'h'));
  EXPECT_EQ((*read)->reason, std::string(kMaxReason - 1, 'r'));
  EXPECT_EQ((*read)->command, std::string(kMaxCommand - 2, 'c'));
}

TEST(LockRecord, TextThatIsNotUtf8StaysAsItIs) {
  LockRecord record = test_record();
  record.command = std::string("a\xff\0b\xc3", 5);
  EXPECT_EQ(value_of(decode_lock_record(bytes_of(record))), record);
}

TEST(NewestRecord, TheHigherNumberCounts) {
  for (const auto& [a, b, slot] :
       {std::tuple(1, 2, 1), std::tuple(2, 1, 0), std::tuple(255, 256, 1)}) {
    const auto newest = newest_record(bytes_of(static_cast<std::uint64_t>(a)),
                                      bytes_of(static_cast<std::uint64_t>(b)));
    ASSERT_TRUE(newest);
    EXPECT_EQ(newest->slot, slot);
    EXPECT_EQ(newest->record.seq, static_cast<std::uint64_t>(std::max(a, b)));
    EXPECT_EQ(newest->record.command, test_record().command);
    EXPECT_FALSE(newest->other_damaged);
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(newest_record(bytes_of(1), bytes_of(kMost))->slot, 1) << "not compared as signed";
}

TEST(NewestRecord, ATornSlotLeavesTheOther) {
  const auto first = newest_record(bytes_of(4), kTorn);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->slot, 0);
  EXPECT_EQ(first->record.seq, 4U);
  EXPECT_TRUE(first->other_damaged);
  const auto second = newest_record(kTorn, bytes_of(4));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->slot, 1);
  EXPECT_TRUE(second->other_damaged);
}

TEST(NewestRecord, ASlotThatWasNeverWrittenIsNoDamage) {
  for (const std::string& empty : {kEmpty, std::string()}) {
    const auto first = newest_record(bytes_of(1), empty);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->slot, 0);
    EXPECT_FALSE(first->other_damaged);
    const auto second = newest_record(empty, bytes_of(1));
    ASSERT_TRUE(second);
    EXPECT_EQ(second->slot, 1);
    EXPECT_FALSE(second->other_damaged);
  }
}

TEST(NewestRecord, WithoutAWholeSlotThereIsNone) {
  for (const auto& [a, b] :
       {std::pair(kTorn, kTorn), {kEmpty, kTorn}, {kTorn, kEmpty}, {kEmpty, kEmpty}}) {
    const auto none = newest_record(a, b);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(none.error().cause, "no-valid-record");
  }
}

TEST(NewestRecord, ANewerVersionInEitherSlotCannotBeJudged) {
  for (const std::string& other : {bytes_of(9), kTorn, kEmpty, kNewer}) {
    for (const auto& answer : {newest_record(kNewer, other), newest_record(other, kNewer)}) {
      ASSERT_FALSE(answer);
      EXPECT_EQ(answer.error().code, ErrorCode::kCannotTell);
      EXPECT_EQ(answer.error().cause, "newer-version");
    }
  }
}

TEST(NewestRecord, TwoOfOneNumberMustBeTheSame) {
  EXPECT_EQ(newest_record(bytes_of(6), bytes_of(6))->slot, 0);
  LockRecord other = test_record();
  other.seq = 6;
  other.command += "!";
  EXPECT_EQ(cause_of(newest_record(bytes_of(6), bytes_of(other))), "no-valid-record");
}

}  // namespace
}  // namespace holdfast
