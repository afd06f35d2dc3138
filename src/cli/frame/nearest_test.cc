// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/nearest.h"

#include <gtest/gtest.h>

#include <array>

namespace holdfast::cli {
namespace {

std::string_view guess(std::string_view typed) {
  static constexpr std::array<std::string_view, 6> kNames{"check", "lock",    "locks",
                                                          "run",   "timeout", "write"};
  return nearest(typed, kNames).value_or("-");
}

TEST(Nearest, SlipsOfTheFingersAreFound) {
  EXPECT_EQ(guess("lcok"), "lock");        // swapped
  EXPECT_EQ(guess("lok"), "lock");         // left out
  EXPECT_EQ(guess("lockk"), "lock");       // doubled
  EXPECT_EQ(guess("wride"), "write");      // replaced
  EXPECT_EQ(guess("tmieotu"), "timeout");  // two slips in a long word
}

TEST(Nearest, BeginningOfANameIsFound) {
  EXPECT_EQ(guess("tim"), "timeout");
  EXPECT_EQ(guess("ti"), "-");
}

TEST(Nearest, NearerOneWinsAndAmongEqualsTheFirst) {
  EXPECT_EQ(guess("locks"), "locks");
  EXPECT_EQ(guess("locj"), "lock");
  EXPECT_EQ(guess("lockz"), "lock");
}

TEST(Nearest, FarOffWordsGetNoGuess) {
  EXPECT_EQ(guess("frobnicate"), "-");
  EXPECT_EQ(guess(""), "-");
  EXPECT_EQ(guess("x"), "-");
  EXPECT_EQ(guess(std::string(1000, 'l')), "-");
}

TEST(Nearest, StemOfAnOptionIsItsName) {
  EXPECT_EQ(option_stem("--time=5=6"), "time");
  EXPECT_EQ(option_stem("-time"), "time");
  EXPECT_EQ(option_stem("--"), "");
}

}  // namespace
}  // namespace holdfast::cli
