// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "format/lock/lock_test_values.h"

namespace holdfast {
namespace {

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
}  // namespace holdfast
