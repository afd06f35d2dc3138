// SPDX-License-Identifier: Apache-2.0
#include "format/text/crc32c.h"

#include <gtest/gtest.h>

#include <random>

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

}  // namespace
}  // namespace holdfast
