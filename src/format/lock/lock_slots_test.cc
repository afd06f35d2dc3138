// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "format/lock/lock_test_values.h"

namespace holdfast {
namespace {

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

}  // namespace
}  // namespace holdfast
