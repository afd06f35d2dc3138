// SPDX-License-Identifier: Apache-2.0
#include "format/text/text_reader.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/printable.h"
#include "format/text/crc32c.h"
#include "format/text/fixed_bytes.h"
#include "format/text/text_writer.h"

namespace holdfast {
namespace {

std::string random_bytes(std::size_t size) {
  std::mt19937 random(20240229);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

// The definition, one bit at a time.
std::uint32_t by_definition(std::string_view bytes) {
  std::uint32_t crc = 0xffff'ffff;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0x82f6'3b78 : crc >> 1;
  }
  return ~crc;
}

TEST(Crc32c, IsTheOneOfRfc3720) {
  EXPECT_EQ(crc32c("123456789"), 0xe306'9283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a91'36aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8'ab43U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(Crc32c, InstructionTableAndDefinitionAgreeAtEveryLengthAndAlignment) {
  const std::string bytes = random_bytes(320);
  for (std::size_t start = 0; start < 16; ++start) {
    for (std::size_t length = 0; length <= 300; ++length) {
      const std::string_view part = std::string_view(bytes).substr(start, length);
      const std::uint32_t expected = by_definition(part);
      ASSERT_EQ(crc32c(part), expected) << start << "+" << length;
      ASSERT_EQ(crc32c_portable(part), expected) << start << "+" << length;
    }
  }
}

// Long ones are summed in three lanes: around one, two and three rounds of them.
TEST(Crc32c, LongTextsAgreeToo) {
  const std::string bytes = random_bytes(3100);
  for (const std::size_t middle : {1008U, 1020U, 2016U, 3024U}) {
    for (std::size_t length = middle - 20; length <= middle + 20; ++length) {
      for (const std::size_t start : {0U, 1U, 7U}) {
        const std::string_view part = std::string_view(bytes).substr(start, length);
        ASSERT_EQ(crc32c(part), by_definition(part)) << start << "+" << length;
        ASSERT_EQ(crc32c(part.substr(5), crc32c(part.substr(0, 5))), crc32c(part));
      }
    }
  }
}

TEST(Crc32c, ATextMayBeSummedInParts) {
  const std::string bytes = random_bytes(70);
  const std::string_view whole = bytes;
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    EXPECT_EQ(crc32c(whole.substr(cut), crc32c(whole.substr(0, cut))), crc32c(whole));
    EXPECT_EQ(crc32c_portable(whole.substr(cut), crc32c_portable(whole.substr(0, cut))),
              crc32c(whole));
  }
}

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

// The whole text as one number, alone at its end and with text behind it (another path in the
// code).
std::optional<std::uint64_t> count_of(const std::string& text) {
  TextReader alone(text);
  const std::uint64_t value = alone.count();
  const bool ok = alone.ok() && alone.rest().empty();
  const std::string longer = text + ",\"next\":1";
  TextReader inside(longer);
  EXPECT_EQ(inside.count() == value && inside.ok() && inside.rest() == ",\"next\":1", ok) << text;
  return ok ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> number_of(const std::string& text) {
  TextReader in(text);
  const std::int64_t value = in.number();
  return in.ok() && in.rest().empty() ? std::optional(value) : std::nullopt;
}

TEST(TextReader, EveryLengthOfNumberIsRead) {
  std::string digits;
  std::uint64_t expected = 0;
  for (std::uint64_t length = 1; length <= 19; ++length) {
    digits += static_cast<char>('0' + length % 10);
    expected = expected * 10 + length % 10;
    EXPECT_EQ(count_of(digits), expected);
    EXPECT_EQ(count_of("1" + std::string(length, '0')).has_value(), true);
  }
  EXPECT_EQ(count_of("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(count_of("0"), 0U);
}

TEST(TextReader, ANumberHasOneSpelling) {
  for (const char* text :
       {"", "00", "01", "+1", "-1", " 1", "1 ", "1.0", "1e3", "a", "18446744073709551616",
        "99999999999999999999", "100000000000000000000", "0000000000000001"}) {
    EXPECT_FALSE(count_of(text)) << text;
  }
}

TEST(TextReader, SignedNumbersEndWhereTheirTypeEnds) {
  EXPECT_EQ(number_of("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(number_of("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(number_of("-1"), -1);
  EXPECT_EQ(number_of("0"), 0);
  for (const char* text :
       {"-", "-0", "--1", "-01", "9223372036854775808", "-9223372036854775809"}) {
    EXPECT_FALSE(number_of(text)) << text;
  }
}

TEST(TextReader, OnlyDigitsAreDigitsAtEveryPlaceOfAWord) {
  for (std::size_t place = 0; place < 8; ++place) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::string text = "12345678";
      text[place] = static_cast<char>(byte);
      const bool digit = byte >= '0' && byte <= '9';
      TextReader in(text);
      const std::uint64_t value = in.count();
      const bool zero_in_front = place == 0 && byte == '0';
      if (digit && !zero_in_front) {
        EXPECT_EQ(std::to_string(value), text);
      } else if (place > 0) {
        EXPECT_EQ(std::to_string(value), text.substr(0, place)) << byte;
      } else {
        EXPECT_FALSE(in.ok()) << byte;
      }
    }
  }
}

TEST(TextReader, OnceFailedItStaysAtTheEnd) {
  TextReader in("abc,7");
  in.literal("abd");
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.count(), 0U);
  EXPECT_EQ(in.rest(), "");
  EXPECT_FALSE(in.accept("a"));
}

TEST(TextReader, LiteralsOfEveryLengthMatchExactly) {
  const auto check = []<std::size_t N>(const char(&literal)[N]) {
    const std::string text(literal, N - 1);
    EXPECT_TRUE(TextReader(text).accept(literal)) << text;
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string other = text;
      other[i] ^= 1;
      EXPECT_FALSE(TextReader(other).accept(literal)) << other;
      EXPECT_FALSE(TextReader(text.substr(0, i)).accept(literal)) << i;
    }
  };
  check("a");
  check("ab");
  check("abc");
  check("abcd");
  check("abcdefg");
  check("abcdefgh");
  check("abcdefghijk");
  check("abcdefghijklmnop");
  check("abcdefghijklmnopqrs");
}

TEST(TextReader, HexadecimalIsLowerCaseAndWhole) {
  TextReader good("e3069283");
  EXPECT_EQ(good.checksum(), 0xe306'9283U);
  EXPECT_TRUE(good.ok());
  for (const char* text : {"", "e306928", "E3069283", "e306928g", "e306 283"}) {
    TextReader in(text);
    in.checksum();
    EXPECT_FALSE(in.ok()) << text;
  }
  const Id128 id{.bytes = {0, 1, 0x7f, 0x80, 0xff}};
  std::array<char, 32> text{};
  TextWriter(text.data()).id(id);
  TextReader in({text.data(), text.size()});
  EXPECT_EQ(in.id(), id);
  EXPECT_TRUE(in.ok());
}

}  // namespace
}  // namespace holdfast
