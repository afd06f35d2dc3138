// SPDX-License-Identifier: Apache-2.0
#include "os/sys/handle.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/result.h"

namespace holdfast {
namespace {

std::vector<int> closed;

struct RecordingTraits {
  using Value = int;
  static int nothing() { return -1; }
  static void close(int value) { closed.push_back(value); }
};
using Recorded = Scoped<RecordingTraits>;

TEST(Scoped, ClosesExactlyOnce) {
  closed.clear();
  {
    Recorded a(3);
    Recorded b(std::move(a));
    EXPECT_FALSE(a.valid());  // NOLINT(bugprone-use-after-move): the moved-from state is the claim
    Recorded c;
    c = std::move(b);
    EXPECT_TRUE(closed.empty());
  }
  EXPECT_EQ(closed, std::vector<int>{3});
}

TEST(Scoped, AssignmentClosesWhatWasHeldAndReleaseClosesNothing) {
  closed.clear();
  {
    Recorded a(1);
    a = Recorded(2);
    EXPECT_EQ(closed, std::vector<int>{1});
    EXPECT_EQ(a.release(), 2);
  }
  EXPECT_EQ(closed, std::vector<int>{1});
}

Result<int> half(int n) {
  if (n % 2 != 0) return fail({.code = ErrorCode::kUsage, .op = "halve"});
  return n / 2;
}
Result<int> quarter(int n) {
  const int once = HF_TRY(half(n));
  return half(once);
}

Result<int> eighth(int n) { return HF_TRY(half(HF_TRY(quarter(n)))); }

TEST(Result, OneTryMayStandInsideAnother) {
  EXPECT_EQ(*eighth(16), 2);
  EXPECT_FALSE(eighth(12));
}

TEST(Result, TryPassesTheValueOnOrReturnsTheError) {
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_EQ(quarter(7).error().op, "halve");
  EXPECT_EQ(quarter(6).error().op, "halve");
}

}  // namespace
}  // namespace holdfast
