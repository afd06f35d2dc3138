// SPDX-License-Identifier: Apache-2.0
#include "base/id128.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(Id128, SpelledAs32LowerCaseDigitsAndReadBack) {
  Id128 id;
  for (std::size_t i = 0; i < 16; ++i) id.bytes[i] = static_cast<std::uint8_t>(i * 17);
  EXPECT_EQ(to_hex(id), "00112233445566778899aabbccddeeff");
  EXPECT_EQ(parse_id128(to_hex(id)), id);
}

TEST(Id128, AnythingElseIsNotAnId) {
  EXPECT_FALSE(parse_id128(""));
  EXPECT_FALSE(parse_id128("00112233445566778899aabbccddeef"));
  EXPECT_FALSE(parse_id128("00112233445566778899aabbccddeeff0"));
  EXPECT_FALSE(parse_id128("00112233445566778899AABBCCDDEEFF"));
  EXPECT_FALSE(parse_id128("00112233445566778899aabbccddeef\n"));
  EXPECT_FALSE(parse_id128(std::string(31, 'a') + '\0'));
}

}  // namespace
}  // namespace holdfast
