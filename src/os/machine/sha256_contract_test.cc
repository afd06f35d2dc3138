// SPDX-License-Identifier: Apache-2.0
#include "os/machine/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast::os {
namespace {

// FIPS 180-4 and its published examples.
TEST(Sha256Contract, TheKnownVectorsComeOut) {
  EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(to_hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Contract, ANulByteIsAByteLikeAnyOther) {
  EXPECT_EQ(to_hex(sha256(std::string_view("\0", 1))),
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
}

TEST(Sha256Contract, HowTheBytesAreCutDoesNotMatter) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i * 7);
  const Digest whole = sha256(bytes);
  const std::string_view view = bytes;
  for (std::size_t cut = 0; cut <= view.size(); ++cut) {
    Sha256 hash;
    hash.update(view.substr(0, cut)).update("").update(view.substr(cut));
    EXPECT_EQ(hash.finish(), whole) << cut;
  }
}

TEST(Sha256Contract, AfterFinishItStartsAnew) {
  Sha256 hash;
  const Digest empty = hash.finish();
  EXPECT_EQ(empty, sha256(""));
  EXPECT_EQ(hash.update("abc").finish(), sha256("abc"));
  EXPECT_EQ(hash.update("ab").update("c").finish(), sha256("abc"));
  EXPECT_EQ(hash.finish(), empty);
}

TEST(Sha256Contract, ADigestIsAddedAsItsThirtyTwoBytes) {
  const Digest digest = sha256("abc");
  std::string bytes;
  for (const std::uint8_t byte : digest.bytes) bytes += static_cast<char>(byte);
  EXPECT_EQ(Sha256().update("x").update(digest).finish(), sha256("x" + bytes));
}

TEST(Sha256Contract, TwoAtOnceDoNotMix) {
  Sha256 one;
  Sha256 other;
  one.update("a");
  other.update("x");
  one.update("bc");
  other.update("yz");
  EXPECT_EQ(one.finish(), sha256("abc"));
  EXPECT_EQ(other.finish(), sha256("xyz"));
}

}  // namespace
}  // namespace holdfast::os
