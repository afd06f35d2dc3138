// SPDX-License-Identifier: Apache-2.0
#include "format/lock/lock_ledger.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "format/json/record_fixture.h"
#include "format/lock/lock_test_values.h"

namespace holdfast {
namespace {

const FenceMark kLockLedgerMark{.seq = 9, .mark = 1'848'846'745'600'123};
const std::string kMarkPiece = encoded<kMarkBytes>(kLockLedgerMark);

TEST(LedgerHeader, IsRecognised) {
  const std::string header = encode_ledger_header();
  EXPECT_EQ(header.size(), kLedgerHeaderBytes);
  EXPECT_TRUE(check_ledger_header(header, "x.lock"));
  EXPECT_TRUE(check_ledger_header(header + "what follows", "x.lock"));
}

TEST(LedgerHeader, EveryCutAndEveryFlippedBitIsNoticed) {
  const std::string header = encode_ledger_header();
  for (std::size_t length = 0; length < header.size(); ++length) {
    const auto result = check_ledger_header(header.substr(0, length), "x.lock");
    ASSERT_FALSE(result) << length;
    EXPECT_EQ(result.error().cause, length < 8 ? "bad-field" : "bad-checksum") << length;
    EXPECT_EQ(result.error().subject, "x.lock");
  }
  for (std::size_t bit = 0; bit < 8 * header.size(); ++bit) {
    const auto flipped = with_byte(header, bit / 8, header[bit / 8] ^ 1 << bit % 8);
    const auto result = check_ledger_header(flipped, "x.lock");
    ASSERT_FALSE(result) << bit;
    EXPECT_EQ(result.error().code, ErrorCode::kCorrupt) << bit;
  }
}

TEST(LedgerHeader, ANewerOneIsNotCorrupt) {
  const auto newer = check_ledger_header(resealed(with_byte(encode_ledger_header(), 8, 2)), "x");
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::kCannotTell);
  EXPECT_EQ(newer.error().cause, "newer-version");
  EXPECT_EQ(cause_of(check_ledger_header(std::string(kLedgerHeaderBytes, '\0'), "x")), "bad-field");
}

TEST(LedgerLayout, PiecesDoNotOverlap) {
  EXPECT_LE(kMovedOffset + 4, kRecordOffset);
  EXPECT_EQ(kRecordOffset + 2 * kRecordBytes, kMarkOffset);
  EXPECT_LE(kMarkOffset + kMarkStride + kMarkBytes, kLedgerPage);
  EXPECT_EQ(kLedgerPage, kReaderOffset);
  EXPECT_EQ(kReaderOffset + kReaderSlots * kReaderBytes, kWaiterOffset);
  EXPECT_EQ(kWaiterOffset + kWaiterSlots * kWaiterBytes, kNoteOffset);
}

TEST(FenceMark, SurvivesItsSlot) {
  EXPECT_EQ(value_of(decode_fence_mark(kMarkPiece)), kLockLedgerMark);
}

TEST(FenceMark, DamageIsNeverAMarkAndNeverEmpty) {
  expect_piece_rules(kMarkPiece, decode_fence_mark);
}

TEST(FenceMark, TheHighestValidOneCounts) {
  const std::string lower = encoded<kMarkBytes>(FenceMark{.seq = 10, .mark = 1024});
  const std::string torn = with_byte(kMarkPiece, 16, 0);
  const std::string empty(kMarkBytes, '\0');
  EXPECT_EQ(highest_mark(kMarkPiece, lower), kLockLedgerMark.mark) << "whichever was written last";
  EXPECT_EQ(highest_mark(lower, kMarkPiece), kLockLedgerMark.mark);
  EXPECT_EQ(highest_mark(torn, lower), 1024U);
  EXPECT_EQ(highest_mark(lower, empty), 1024U);
  EXPECT_EQ(highest_mark(torn, empty), 0U);
  EXPECT_EQ(highest_mark("", ""), 0U);
}

template <typename Enum>
std::set<std::string_view> words_up_to(Enum last) {
  std::set<std::string_view> words;
  for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i) {
    words.insert(to_text(static_cast<Enum>(i)));
  }
  return words;
}

TEST(LockWords, EachChoiceHasItsOwnWord) {
  using Words = std::set<std::string_view>;
  EXPECT_EQ(words_up_to(LockMode::kShared), (Words{"exclusive", "shared"}));
  EXPECT_EQ(words_up_to(LockBinding::kTtl), (Words{"exec", "lib", "owner", "ttl"}));
  EXPECT_EQ(words_up_to(LockYields::kKill), (Words{"wait", "take", "kill"}));
  EXPECT_EQ(words_up_to(LockCause::kRetiredIdle).size(), 9U);
  EXPECT_EQ(to_text(LockCause::kFresh), "fresh");
  EXPECT_EQ(to_text(LockCause::kBroken), "broken");
}

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

TEST(ReaderSlot, SurvivesItsPlace) {
  EXPECT_EQ(value_of(decode_reader_slot(encoded<kReaderBytes>(test_reader()))), test_reader());
  const auto unused = decode_reader_slot(encoded<kReaderBytes>(ReaderSlot{}));
  ASSERT_TRUE(unused && *unused);
  EXPECT_EQ((*unused)->token, Id128{});
}

TEST(ReaderSlot, DamageIsNeverAReaderAndNeverEmpty) {
  const std::string whole = encoded<kReaderBytes>(test_reader());
  expect_piece_rules(whole, decode_reader_slot);
  for (const auto& [at, value] : {std::pair(4, 4), {5, 3}, {24 + 67, 0x80}, {128, 65}}) {
    const auto changed = with_byte(whole, static_cast<std::size_t>(at), value);
    EXPECT_EQ(cause_of(decode_reader_slot(resealed(changed))), "bad-field") << at;
  }
}

TEST(WaiterSlot, SurvivesItsPlace) {
  EXPECT_EQ(value_of(decode_waiter_slot(encoded<kWaiterBytes>(test_waiter()))), test_waiter());
}

TEST(WaiterSlot, DamageIsNeverAWaiterAndNeverEmpty) {
  const std::string whole = encoded<kWaiterBytes>(test_waiter());
  expect_piece_rules(whole, decode_waiter_slot);
  for (const auto& [at, value] : {std::pair(4, 2), {8 + 67, 0x80}, {96, 65}}) {
    const auto changed = with_byte(whole, static_cast<std::size_t>(at), value);
    EXPECT_EQ(cause_of(decode_waiter_slot(resealed(changed))), "bad-field") << at;
  }
}

TEST(LockSlots, AReaderIsNoWaiter) {
  EXPECT_EQ(cause_of(decode_waiter_slot(encoded<kReaderBytes>(test_reader()))), "bad-field");
  EXPECT_EQ(cause_of(decode_reader_slot(encoded<kWaiterBytes>(test_waiter()))), "bad-field");
}

TEST(LockSlots, CommandsAreCutToTheirPlace) {
  ReaderSlot reader = test_reader();
  WaiterSlot waiter = test_waiter();
  reader.command = waiter.command = std::string(63, 'c') + "\xC3\xA9";
  EXPECT_EQ(value_of(decode_reader_slot(encoded<kReaderBytes>(reader)))->command,
            std::string(63, 'c'));
  EXPECT_EQ(value_of(decode_waiter_slot(encoded<kWaiterBytes>(waiter)))->command,
            std::string(63, 'c'));
}

TEST(WaitNote, SurvivesItsPlace) {
  EXPECT_EQ(value_of(decode_wait_note(encoded<kNoteBytes>(test_note()))), test_note());
  WaitNote longest = test_note();
  longest.label = std::string(4032, 'l');
  longest.ledger = "/" + std::string(kMaxNotePath - 1, 'p');
  EXPECT_EQ(value_of(decode_wait_note(encoded<kNoteBytes>(longest))), longest);
}

TEST(WaitNote, DamageIsNeverANoteAndNeverEmpty) {
  const std::string whole = encoded<kNoteBytes>(test_note());
  expect_piece_rules(whole, decode_wait_note);
  for (const auto& [at, value] : {std::pair(7, 0x80), {33, 0x10}, {4081, 0x11}}) {
    const auto changed = with_byte(whole, static_cast<std::size_t>(at), value);
    EXPECT_EQ(cause_of(decode_wait_note(resealed(changed))), "bad-field") << at;
  }
}

TEST(WaitNote, APathIsWholeOrThereIsNoNote) {
  WaitNote note = test_note();
  note.ledger = "/" + std::string(kMaxNotePath, 'p');
  const auto read = decode_wait_note(encoded<kNoteBytes>(note));
  ASSERT_TRUE(read);
  EXPECT_FALSE(*read);
}

ForeignSeen test_seen() {
  return {.holder = test_identity(4716),
          .first_seen_boot_ns = 86'400'000'000'007,
          .last_seen_boot_ns = 86'400'000'000'008,
          .generation = 1'848'846'745'600'001};
}

TEST(ForeignSeen, SurvivesItsPlace) {
  EXPECT_EQ(decode_foreign_seen(encoded<kForeignSeenBytes>(test_seen())), test_seen());
}

TEST(ForeignSeen, DamageIsNeverAnObservationAndNeverEmpty) {
  const std::string whole = encoded<kForeignSeenBytes>(test_seen());
  expect_piece_rules(whole, decode_foreign_seen);
  const auto negative = with_byte(whole, 8 + 67, 0x80);
  EXPECT_EQ(cause_of(decode_foreign_seen(resealed(negative))), "bad-field");
}

TEST(ForeignSeen, LiesBetweenTheWordMovedAndTheFirstSlot) {
  static_assert(kForeignSeenOffset >= kMovedOffset + sizeof(std::uint32_t));
  static_assert(kForeignSeenOffset + kForeignSeenBytes <= kRecordOffset);
  EXPECT_EQ(cause_of(decode_waiter_slot(encoded<kForeignSeenBytes>(test_seen()))), "bad-field");
}

}  // namespace

// The bytes of a ledger as they are on people's disks. These files never change: a format that
// needs other bytes needs another version, and files of its own.
//
//   lock_ledger.bin  the first page: header, slot A (test_record), slot B (never written), marks
//   lock_slots.bin   a reader, a waiter, a note

namespace {

constexpr FenceMark kMarkA{.seq = 1, .mark = 1024};
constexpr FenceMark kMarkB{.seq = 2, .mark = 1'848'846'745'600'000};

TEST(LockGolden, TheFirstPageIsTheseBytes) {
  std::string page(kLedgerPage, '\0');
  page.replace(0, kLedgerHeaderBytes, encode_ledger_header());
  encode(test_record(), page.data() + kRecordOffset);
  encode(kMarkA, page.data() + kMarkOffset);
  encode(kMarkB, page.data() + kMarkOffset + kMarkStride);
  EXPECT_EQ(page, golden("lock_ledger.bin"));
}

TEST(LockGolden, TheFirstPageIsRead) {
  const std::string page = golden("lock_ledger.bin");
  const std::string_view view = page;
  ASSERT_EQ(page.size(), kLedgerPage);
  EXPECT_TRUE(check_ledger_header(view, "golden"));
  const auto newest = newest_record(view.substr(kRecordOffset, kRecordBytes),
                                    view.substr(kRecordOffset + kRecordBytes, kRecordBytes));
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->record, test_record());
  EXPECT_EQ(value_of(decode_fence_mark(view.substr(kMarkOffset))), kMarkA);
  EXPECT_EQ(value_of(decode_fence_mark(view.substr(kMarkOffset + kMarkStride))), kMarkB);
}

TEST(LockGolden, SlotsAreTheseBytes) {
  const std::string bytes = golden("lock_slots.bin");
  EXPECT_EQ(encoded<kReaderBytes>(test_reader()) + encoded<kWaiterBytes>(test_waiter()) +
                encoded<kNoteBytes>(test_note()),
            bytes);
  const std::string_view view = bytes;
  ASSERT_EQ(view.size(), kReaderBytes + kWaiterBytes + kNoteBytes);
  EXPECT_EQ(value_of(decode_reader_slot(view)), test_reader());
  EXPECT_EQ(value_of(decode_waiter_slot(view.substr(kReaderBytes))), test_waiter());
  EXPECT_EQ(value_of(decode_wait_note(view.substr(kReaderBytes + kWaiterBytes))), test_note());
}

}  // namespace
}  // namespace holdfast
