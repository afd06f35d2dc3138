// SPDX-License-Identifier: Apache-2.0
#include "base/size.h"

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

TEST(Size, EveryDocumentedFormIsRead) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"0", 0},          {"4096", 4096},    {"64KiB", 65536},       {"64k", 65536},
      {"1MiB", 1048576}, {"10M", 10485760}, {"1.5GiB", 1610612736}, {"2GB", 2'000'000'000},
      {"3kB", 3000},     {"7b", 7},         {"1T", 1099511627776},
  };
  for (const auto& [text, bytes] : cases) {
    const auto result = parse_size(text);
    ASSERT_TRUE(result) << text;
    EXPECT_EQ(*result, bytes) << text;
  }
}

TEST(Size, WhatIsNotOneIsRefusedAsUsage) {
  for (const char* text : {"", "K", "-1", "1 K", "1.5", "0.3b", "1.K", "5x", "9223372036854775808",
                           "8388608T", "1K\n"}) {
    const auto result = parse_size(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().cause, "bad-size") << text;
  }
}

TEST(Size, FormattedForPeople) {
  EXPECT_EQ(format_size(0), "0B");
  EXPECT_EQ(format_size(1023), "1023B");
  EXPECT_EQ(format_size(1536), "1.5KiB");
  EXPECT_EQ(format_size(64ULL << 20), "64MiB");
  EXPECT_EQ(format_size(std::numeric_limits<std::uint64_t>::max()), "15.9EiB");
}

}  // namespace
}  // namespace holdfast
