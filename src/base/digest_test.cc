// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

// SHA-256 of nothing, in the spellings of `sha256sum` and `basenc --base64url`.
constexpr std::string_view kHex =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kBase64 = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";

Digest filled(std::uint8_t byte) {
  Digest digest;
  digest.bytes.fill(byte);
  return digest;
}

TEST(Digest, BothSpellingsAreThoseOfOtherTools) {
  const auto digest = parse_digest_hex(kHex);
  ASSERT_TRUE(digest);
  EXPECT_EQ(to_hex(*digest), kHex);
  EXPECT_EQ(to_base64url(*digest), kBase64);
  EXPECT_EQ(parse_digest_base64url(kBase64), digest);
}

TEST(Digest, EveryByteValueAtEveryPlaceSurvivesBothSpellings) {
  for (unsigned value = 0; value < 256; ++value) {
    for (std::size_t place = 0; place < 32; ++place) {
      Digest digest = filled(0x5a);
      digest.bytes[place] = static_cast<std::uint8_t>(value);
      EXPECT_EQ(parse_digest_hex(to_hex(digest)), digest);
      EXPECT_EQ(parse_digest_base64url(to_base64url(digest)), digest);
    }
  }
}

TEST(Digest, OneDigestHasOneSpelling) {
  // The last character carries four bits; the other two must be 0.
  const std::string zeros = to_base64url(filled(0));
  EXPECT_EQ(zeros, std::string(43, 'A'));
  for (const char last : {'B', 'C', 'D'}) {
    EXPECT_FALSE(parse_digest_base64url(zeros.substr(0, 42) + last)) << last;
  }
  EXPECT_TRUE(parse_digest_base64url(zeros.substr(0, 42) + 'E'));
}

TEST(Digest, AByteThatIsNoDigitIsRefusedAtEveryPlace) {
  for (const char bad : {'+', '/', '=', ' ', '\n', '\0', '"', '\xc3', '\xff', '.'}) {
    for (std::size_t place = 0; place < kHex.size(); ++place) {
      std::string hex(kHex);
      hex[place] = bad;
      EXPECT_FALSE(parse_digest_hex(hex)) << place;
    }
    for (std::size_t place = 0; place < kBase64.size(); ++place) {
      std::string text(kBase64);
      text[place] = bad;
      EXPECT_FALSE(parse_digest_base64url(text)) << place;
    }
  }
  EXPECT_FALSE(parse_digest_hex("E3" + std::string(kHex.substr(2))));
}

TEST(Digest, OtherLengthsAreRefused) {
  EXPECT_FALSE(parse_digest_hex(""));
  EXPECT_FALSE(parse_digest_hex(kHex.substr(2)));
  EXPECT_FALSE(parse_digest_hex(std::string(kHex) + "00"));
  EXPECT_FALSE(parse_digest_base64url(""));
  EXPECT_FALSE(parse_digest_base64url(kBase64.substr(1)));
  EXPECT_FALSE(parse_digest_base64url(std::string(kBase64) + "="));
}

}  // namespace
}  // namespace holdfast
