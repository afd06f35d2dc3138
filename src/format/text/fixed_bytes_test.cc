// SPDX-License-Identifier: Apache-2.0
#include "format/text/fixed_bytes.h"

#include <gtest/gtest.h>

#include "base/printable.h"

namespace holdfast {
namespace {

TEST(CutText, EndsAtACharacter) {
  EXPECT_EQ(cut_text("abc", 3), "abc");
  EXPECT_EQ(cut_text("abcd", 3), "abc");
  EXPECT_EQ(cut_text("ab\xC3\xA9", 3), "ab");
  EXPECT_EQ(cut_text("ab\xC3\xA9", 4), "ab\xC3\xA9");
  EXPECT_EQ(cut_text("a\xE2\x82\xACz", 3), "a");
  EXPECT_EQ(cut_text("\xF0\x9F\x94\x92", 3), "");
  EXPECT_EQ(cut_text("anything", 0), "");
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x94\x92z";
  for (std::size_t most = 0; most <= text.size(); ++most) {
    EXPECT_TRUE(is_utf8(cut_text(text, most))) << most;
    EXPECT_GT(cut_text(text, most).size() + 4, most) << "no more is lost than one character";
  }
}

TEST(CutText, WhatIsNotUtf8IsCutWhereItMust) {
  EXPECT_EQ(cut_text("\x80\x80\x80\x80\x80\x80", 5), "\x80\x80\x80\x80\x80");
  EXPECT_EQ(cut_text("\xff\xff\xff", 2), "\xff\xff");
}

TEST(FixedBytes, IntegersAreLittleEndianAtTheirPlaces) {
  std::array<char, 24> bytes{};
  bytes.fill('\xee');
  FixedWriter<24> out(bytes.data());
  out.number<1>(std::uint32_t{0x0403'0201});
  out.number<8>(std::int64_t{-2});
  EXPECT_EQ(std::string_view(bytes.data(), 20),
            std::string_view("\0\1\2\3\4\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 20));
  out.seal();
  const FixedReader<24> in({bytes.data(), bytes.size()});
  EXPECT_TRUE(in.is_sealed());
  EXPECT_EQ((in.number<std::int64_t, 8>()), -2);
}

TEST(FixedBytes, WhatIsMissingIsZeros) {
  const FixedReader<24> in("\1");
  EXPECT_EQ((in.number<std::uint64_t, 0>()), 1U);
  EXPECT_EQ((in.number<std::uint64_t, 16>()), 0U);
  EXPECT_FALSE(in.is_all_zeros());
  EXPECT_TRUE(FixedReader<24>("").is_all_zeros());
}

}  // namespace
}  // namespace holdfast
