// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/lease_watch.h"

#include <gtest/gtest.h>

namespace holdfast::lock {
namespace {

using std::chrono::seconds;

constexpr BootTime at(int second) { return BootTime(seconds(second)); }

TEST(LeaseWatch, RenewsAtAThirdAfterEachSuccess) {
  LeaseWatch watch(seconds(12), at(100));
  EXPECT_EQ(watch.next(), at(104));
  watch.renewed(at(105));
  EXPECT_EQ(watch.next(), at(109));
}

TEST(LeaseWatch, TriesAgainAfterATwelfthAndIsLostAtTwoThirds) {
  LeaseWatch watch(seconds(12), at(100));
  EXPECT_TRUE(watch.failed(at(104)));
  EXPECT_EQ(watch.next(), at(105));
  EXPECT_TRUE(watch.failed(at(107)));
  EXPECT_EQ(watch.next(), at(108)) << "the last try is at the moment of loss, not after it";
  EXPECT_FALSE(watch.failed(at(108)));
}

TEST(LeaseWatch, ASuccessAfterFailuresStartsAnew) {
  LeaseWatch watch(seconds(12), at(100));
  EXPECT_TRUE(watch.failed(at(107)));
  watch.renewed(at(107));
  EXPECT_TRUE(watch.failed(at(111)));
  EXPECT_TRUE(watch.failed(at(114)));
  EXPECT_FALSE(watch.failed(at(115)));
}

TEST(LeaseWatch, WhatIsLostCanBeStoppedBeforeTheEndOfTheLease) {
  const Duration ttl = seconds(12);
  EXPECT_LT(ttl * 2 / 3 + longest_grace(ttl), ttl);
}

}  // namespace
}  // namespace holdfast::lock
