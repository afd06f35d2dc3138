// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a ledger as they are on people's disks. These files never change: a format that
// needs other bytes needs another version, and files of its own.
//
//   lock_ledger.bin  the first page: header, slot A (test_record), slot B (never written), marks
//   lock_slots.bin   a reader, a waiter, a note
#include <gtest/gtest.h>

#include <fstream>

#include "format/lock/lock_test_values.h"

namespace holdfast {
namespace {

std::string golden_ledger(const std::string& name) {
  std::ifstream file(std::string(HF_FORMAT_GOLDEN) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr FenceMark kMarkA{.seq = 1, .mark = 1024};
constexpr FenceMark kMarkB{.seq = 2, .mark = 1'848'846'745'600'000};

TEST(LockGolden, TheFirstPageIsTheseBytes) {
  std::string page(kLedgerPage, '\0');
  page.replace(0, kLedgerHeaderBytes, encode_ledger_header());
  encode(test_record(), page.data() + kRecordOffset);
  encode(kMarkA, page.data() + kMarkOffset);
  encode(kMarkB, page.data() + kMarkOffset + kMarkStride);
  EXPECT_EQ(page, golden_ledger("lock_ledger.bin"));
}

TEST(LockGolden, TheFirstPageIsRead) {
  const std::string page = golden_ledger("lock_ledger.bin");
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
  const std::string bytes = golden_ledger("lock_slots.bin");
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
