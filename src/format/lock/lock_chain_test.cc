// SPDX-License-Identifier: Apache-2.0
#include "format/lock/lock_chain.h"

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

constexpr std::string_view kToken = "000102030405060708090a0b0c0d0e0f";

ChainEntry lock_chain_entry(ChainEntry::Kind kind, std::uint64_t fence, std::string ledger) {
  return {.kind = kind, .token = *parse_id128(kToken), .fence = fence, .ledger = std::move(ledger)};
}

const LockChain kChain{
    lock_chain_entry(ChainEntry::Kind::kNamed, 1025, "/home/a b/locks/deploy.lock"),
    lock_chain_entry(ChainEntry::Kind::kFile, std::numeric_limits<std::uint64_t>::max(),
                     "/srv/K\xC3\xA4se/.x%:\n.hold")};

std::string lock_chain_one(std::string_view rest) {
  return "v1 named:" + std::string(kToken) + std::string(rest);
}

TEST(LockChain, IsThisText) {
  const std::string token(kToken);
  EXPECT_EQ(encode_chain(kChain), "v1 named:" + token +
                                      ":1025:/home/a%20b/locks/deploy.lock file:" + token +
                                      ":18446744073709551615:/srv/K%C3%A4se/.x%25%3A%0A.hold");
  EXPECT_EQ(encode_chain({}), "");
}

TEST(LockChain, SurvivesItsText) {
  EXPECT_EQ(decode_chain(encode_chain(kChain)), kChain);
  EXPECT_EQ(decode_chain(""), LockChain{});
}

TEST(LockChain, WhatIsNotExactlyAChainIsRefused) {
  const std::string token(kToken);
  for (const std::string& text : {std::string(" "),
                                  std::string("v1"),
                                  std::string("v1 "),
                                  std::string("x"),
                                  std::string("v0 a"),
                                  std::string("v01 a"),
                                  std::string("v a"),
                                  std::string("1 a"),
                                  std::string("v-1 a"),
                                  std::string("V1 a"),
                                  "v1 other:" + token + ":1:/a",
                                  "v1  named:" + token + ":1:/a",
                                  " " + lock_chain_one(":1:/a"),
                                  lock_chain_one(":1:/a "),
                                  lock_chain_one(":1:/a\n"),
                                  lock_chain_one(":1"),
                                  lock_chain_one(":1:"),
                                  lock_chain_one(":1:a"),
                                  lock_chain_one("::/a"),
                                  lock_chain_one(":01:/a"),
                                  lock_chain_one(":-1:/a"),
                                  lock_chain_one(":+1:/a"),
                                  lock_chain_one(":18446744073709551616:/a"),
                                  lock_chain_one(":0x1:/a"),
                                  lock_chain_one("00:1:/a"),
                                  lock_chain_one(":1:/a:b"),
                                  lock_chain_one(":1:/a%"),
                                  lock_chain_one(":1:/a%2"),
                                  lock_chain_one(":1:/a%2f"),
                                  lock_chain_one(":1:/a%2F"),
                                  lock_chain_one(":1:/a%3a"),
                                  lock_chain_one(":1:/a%00b"),
                                  lock_chain_one(":1:/a%41"),
                                  lock_chain_one(":1:/a%GG"),
                                  lock_chain_one(":1:/\xC3\xA9"),
                                  "v1 named:" + token.substr(1) + ":1:/a",
                                  "v1 named:0" + token + ":1:/a",
                                  "v1 named:" + std::string(32, 'A') + ":1:/a"}) {
    const auto chain = decode_chain(text);
    ASSERT_FALSE(chain) << text;
    EXPECT_EQ(chain.error().code, ErrorCode::kCorrupt) << text;
    EXPECT_EQ(chain.error().cause, "bad-chain") << text;
    EXPECT_FALSE(chain.error().detail.contains(token)) << "tokens are secret";
  }
}

TEST(LockChain, EveryCutIsRefused) {
  const LockChain chain{lock_chain_entry(ChainEntry::Kind::kNamed, 7, "/l"),
                        lock_chain_entry(ChainEntry::Kind::kFile, 8, "/m")};
  const std::string text = encode_chain(chain);
  const std::size_t whole = text.find(" file:");
  for (std::size_t length = 1; length < text.size(); ++length) {
    const auto cut = decode_chain(text.substr(0, length));
    // A path can be cut, and the chain at an entry: no text can show that.
    const bool is_chain = length == whole || length + 1 == whole || length + 1 == text.size();
    EXPECT_EQ(cut.has_value(), is_chain) << length;
  }
}

TEST(LockChain, ALaterVersionCannotBeJudged) {
  for (const std::string_view text : {"v2", "v2 anything", "v18446744073709551615 x"}) {
    const auto chain = decode_chain(text);
    ASSERT_FALSE(chain);
    EXPECT_EQ(chain.error().code, ErrorCode::kCannotTell);
    EXPECT_EQ(chain.error().cause, "newer-version");
  }
}

TEST(LockChain, IsNotDeeperThanItsLimit) {
  LockChain chain(kMaxChain, kChain[0]);
  EXPECT_EQ(decode_chain(encode_chain(chain)), chain);
  chain.push_back(kChain[0]);
  const auto deep = decode_chain(encode_chain(chain));
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().code, ErrorCode::kUsage);
  EXPECT_EQ(deep.error().cause, "chain-too-deep");
}

}  // namespace
}  // namespace holdfast
