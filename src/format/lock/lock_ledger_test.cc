// SPDX-License-Identifier: Apache-2.0
#include "format/lock/lock_ledger.h"

#include <gtest/gtest.h>

#include <set>

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
  EXPECT_EQ(words_up_to(LockState::kRetired), (Words{"free", "held", "retired"}));
  EXPECT_EQ(words_up_to(LockMode::kShared), (Words{"exclusive", "shared"}));
  EXPECT_EQ(words_up_to(LockBinding::kTtl), (Words{"exec", "lib", "owner", "ttl"}));
  EXPECT_EQ(words_up_to(LockYields::kKill), (Words{"wait", "take", "kill"}));
  EXPECT_EQ(words_up_to(LockCause::kRetiredIdle).size(), 9U);
  EXPECT_EQ(to_text(LockCause::kFresh), "fresh");
  EXPECT_EQ(to_text(LockCause::kBroken), "broken");
  EXPECT_EQ(to_text(LockState::kHeld), "held");
}

}  // namespace
}  // namespace holdfast
