// SPDX-License-Identifier: Apache-2.0
#include "format/journal/journal_state.h"

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

Id128 journal_state_id(std::uint8_t byte) {
  Id128 journal_state_id;
  journal_state_id.bytes.fill(byte);
  return journal_state_id;
}

Digest journal_state_digest(std::uint8_t byte) {
  Digest journal_state_digest;
  journal_state_digest.bytes.fill(byte);
  return journal_state_digest;
}

const HeadNote kHead{.boot = journal_state_id(0x1f),
                     .segment = 1000,
                     .size = 5'123'456,
                     .seq = 1'234'567,
                     .head = journal_state_digest(0x5a)};
const SyncNote kSync{
    .boot = journal_state_id(0x1f), .segment = 1000, .size = 4'000'000, .seq = 1'234'000};
const DropNote kDrop{.full = true,
                     .dropped_trace = 12,
                     .dropped_event = 3,
                     .since_us = 1'763'200'000'123'456,
                     .reported_seq = 77};

TEST(JournalState, NotesSurviveTheirSlots) {
  EXPECT_EQ(decode_head_note(encode_note(kHead)), kHead);
  EXPECT_EQ(decode_sync_note(encode_note(kSync)), kSync);
  EXPECT_EQ(decode_drop_note(encode_note(kDrop)), kDrop);
  const PoisonNote poison{.boot = journal_state_id(0x1f), .segment = 1000};
  EXPECT_EQ(decode_poison_note(encode_note(poison)), poison);
  EXPECT_EQ(decode_drop_note(encode_note(DropNote{})), DropNote{});
}

TEST(JournalState, EverySlotHasItsSizeWhateverTheNumbers) {
  constexpr std::uint64_t kMostThatCanBe = (std::uint64_t{1} << 62) - 1;
  const HeadNote head{.boot = journal_state_id(0xff),
                      .segment = kMostThatCanBe,
                      .size = kMostThatCanBe,
                      .seq = kMostThatCanBe,
                      .head = journal_state_digest(0xff)};
  EXPECT_EQ(encode_note(head).size(), kStateSlotBytes);
  EXPECT_EQ(decode_head_note(encode_note(head)), head);
  EXPECT_EQ(encode_note(HeadNote{}).size(), kStateSlotBytes);
  EXPECT_FALSE(decode_head_note(encode_note(HeadNote{}))) << "no journal ends at 0";
  HeadNote absurd = kHead;
  absurd.seq = kMost;
  EXPECT_EQ(encode_note(absurd).size(), kStateSlotBytes);
  EXPECT_FALSE(decode_head_note(encode_note(absurd))) << "it would make numbers start anew";
  const SyncNote sync{
      .boot = journal_state_id(0xff), .segment = kMost, .size = kMost, .seq = kMost};
  EXPECT_EQ(encode_note(sync).size(), kStateSlotBytes);
  EXPECT_EQ(decode_sync_note(encode_note(sync)), sync);
  const DropNote drop{.full = false,
                      .dropped_trace = kMost,
                      .dropped_event = kMost,
                      .since_us = std::numeric_limits<std::int64_t>::min(),
                      .reported_seq = kMost};
  EXPECT_EQ(encode_note(drop).size(), kStateSlotBytes);
  EXPECT_EQ(decode_drop_note(encode_note(drop)), drop);
}

template <typename Decode>
void expect_no_flip_and_no_cut(const std::string& slot, Decode decode) {
  ASSERT_TRUE(decode(slot));
  for (std::size_t i = 0; i < slot.size(); ++i) {
    EXPECT_FALSE(decode(std::string_view(slot).substr(0, i))) << "cut at " << i;
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string flipped = slot;
      flipped[i] = static_cast<char>(static_cast<std::uint8_t>(flipped[i]) ^ 1U << bit);
      EXPECT_FALSE(decode(flipped)) << i << " bit " << bit;
    }
  }
  EXPECT_FALSE(decode(slot + slot));
  EXPECT_FALSE(decode(slot.substr(0, slot.size() - 2) + "\n"));  // one space less
  EXPECT_FALSE(decode(slot.substr(0, slot.size() - 1) + " \n"));
  EXPECT_FALSE(decode(slot + "\n"));
  EXPECT_FALSE(decode(" " + slot.substr(0, slot.size() - 1)));
}

TEST(JournalState, CutOrFlippedTheyAreNoNotes) {
  expect_no_flip_and_no_cut(encode_note(kHead), decode_head_note);
  expect_no_flip_and_no_cut(encode_note(kSync), decode_sync_note);
  expect_no_flip_and_no_cut(encode_note(kDrop), decode_drop_note);
}

TEST(JournalState, ATornMixOfTwoNotesIsNoNote) {
  HeadNote next = kHead;
  next.seq += 1;
  next.size += 220;
  next.head = journal_state_digest(0xa5);
  const std::string before = encode_note(kHead);
  const std::string after = encode_note(next);
  for (std::size_t cut = 0; cut <= before.size(); ++cut) {
    const std::string mixed = after.substr(0, cut) + before.substr(cut);
    EXPECT_EQ(decode_head_note(mixed).has_value(), mixed == before || mixed == after) << cut;
  }
}

TEST(JournalState, EachKindIsReadOnlyAsItself) {
  EXPECT_FALSE(decode_head_note(encode_note(kSync)));
  EXPECT_FALSE(decode_sync_note(encode_note(kHead)));
  EXPECT_FALSE(decode_drop_note(encode_note(kHead)));
  for (const char fill : {' ', '\0'}) {
    const std::string blank(kStateSlotBytes, fill);
    EXPECT_FALSE(decode_head_note(blank));
    EXPECT_FALSE(decode_sync_note(blank));
    EXPECT_FALSE(decode_drop_note(blank));
  }
}

TEST(JournalState, TheSlotsDoNotOverlapAndFit) {
  EXPECT_GE(kSyncSlot, kHeadSlot + kStateSlotBytes);
  EXPECT_GE(kDropSlot, kSyncSlot + kStateSlotBytes);
  EXPECT_GE(kSpillFlag, kDropSlot + kStateSlotBytes);
  EXPECT_LT(kSpillFlag, kStateBytes);
}

}  // namespace
}  // namespace holdfast
