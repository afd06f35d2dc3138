// SPDX-License-Identifier: Apache-2.0
#include "base/budget.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr MonoTime kStart(seconds(100));

class Budget : public ::testing::Test {
 protected:
  void TearDown() override { forget_budget(); }
};

TEST_F(Budget, WithoutOneEverythingStaysAsItWasWanted) {
  EXPECT_FALSE(budget());
  EXPECT_FALSE(budget_end());
  EXPECT_EQ(within_budget(std::nullopt, kStart).time, std::nullopt);
  EXPECT_EQ(within_budget(seconds(7), kStart).time, seconds(7));
  EXPECT_FALSE(within_budget(seconds(7), kStart).by_budget);
  EXPECT_EQ(within_whole_budget(seconds(7), kStart), seconds(7));
  EXPECT_EQ(tree_within_budget(std::nullopt, seconds(1), kStart).time, std::nullopt);
}

TEST_F(Budget, AWaitEndsATenthOrAQuarterOfASecondBefore) {
  set_budget(kStart, seconds(1));
  EXPECT_EQ(budget_end(), kStart + milliseconds(900));
  set_budget(kStart, seconds(10));
  EXPECT_EQ(budget_end(), kStart + milliseconds(9750));
  const Allowed any = within_budget(std::nullopt, kStart + seconds(1));
  EXPECT_EQ(any.time, milliseconds(8750));
  EXPECT_TRUE(any.by_budget);
  EXPECT_FALSE(within_budget(seconds(2), kStart + seconds(1)).by_budget);
  EXPECT_EQ(within_budget(seconds(2), kStart + seconds(20)).time, Duration::zero());
}

TEST_F(Budget, ARecordMayUseWhatWasKeptBack) {
  set_budget(kStart, seconds(10));
  EXPECT_EQ(within_whole_budget(seconds(1), kStart + milliseconds(9900)), milliseconds(100));
  EXPECT_EQ(within_whole_budget(seconds(1), kStart + seconds(11)), Duration::zero());
}

TEST_F(Budget, ATreeIsAskedToGoWhileThereIsTimeToEndIt) {
  set_budget(kStart, seconds(10));
  const Allowed most = tree_within_budget(std::nullopt, seconds(10), kStart + milliseconds(1750));
  EXPECT_EQ(most.time, seconds(6));
  EXPECT_TRUE(most.by_budget);
  EXPECT_EQ(tree_within_budget(std::nullopt, seconds(1), kStart + milliseconds(1750)).time,
            seconds(7));
  EXPECT_FALSE(tree_within_budget(seconds(3), seconds(1), kStart).by_budget);
}

}  // namespace
}  // namespace holdfast
