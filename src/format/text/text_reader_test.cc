// SPDX-License-Identifier: Apache-2.0
#include "format/text/text_reader.h"

#include <gtest/gtest.h>

#include <limits>

#include "format/text/text_writer.h"

namespace holdfast {
namespace {

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
