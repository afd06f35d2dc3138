// SPDX-License-Identifier: Apache-2.0
#include "format/lock/lock_chain.h"

#include <gtest/gtest.h>

#include <limits>

#include "format/lock/foreign_lock.h"

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

using Kind = ForeignLock::Kind;

const WallTime kTime = wall_time_from_unix(1'770'546'600, 0);  // 2026-02-08T10:30:00Z

ForeignLock number(std::int32_t pid) { return {.kind = Kind::kNumber, .pid = pid}; }
ForeignLock json(std::int32_t pid, std::optional<std::string> host, std::optional<WallTime> since) {
  return {.kind = Kind::kJson, .pid = pid, .host = std::move(host), .since = since};
}
Kind foreign_lock_kind_of(std::string_view bytes) { return read_foreign_lock(bytes).kind; }
std::optional<WallTime> since_of(std::string_view bytes) { return read_foreign_lock(bytes).since; }

TEST(ForeignLock, NothingIsWrittenInAnEmptyFile) {
  for (const std::string_view text : {"", "\n", " \t\r\n"}) {
    EXPECT_EQ(read_foreign_lock(text), ForeignLock{});
  }
}

TEST(ForeignLock, ABareNumberIsAProcess) {
  for (const std::string_view text :
       {"1234", "1234\n", "      1234\n", "1234\r\n", "1234 \n\n", "0001234"}) {
    EXPECT_EQ(read_foreign_lock(text), number(1234)) << text;
  }
  EXPECT_EQ(read_foreign_lock("4194304"), number(4'194'304));
}

TEST(ForeignLock, TheSecondLineMayBeAHost) {
  ForeignLock there = number(77);
  there.host = "box-1.example";
  EXPECT_EQ(read_foreign_lock("77\nbox-1.example\n"), there);
  EXPECT_EQ(read_foreign_lock("77\r\nbox-1.example\r\nmore\n"), there);
  EXPECT_EQ(read_foreign_lock("77\n/var/lib/data\n1763200000\n"), number(77)) << "no host";
  EXPECT_EQ(read_foreign_lock("77\n1763200000\n"), number(77)) << "no host";
}

TEST(ForeignLock, ANumberThatIsNoProcessIsUnusable) {
  for (const std::string_view text :
       {"0", "0\n", "4194305", "1763200000\n", "99999999999999999999999"}) {
    EXPECT_EQ(read_foreign_lock(text), ForeignLock{.kind = Kind::kUnusable}) << text;
  }
}

TEST(ForeignLock, TheRecordsOfTodaysToolsAreRead) {
  EXPECT_EQ(
      read_foreign_lock(R"({"session":"auth","pid":4242,"started_at":"2026-02-08T10:30:00Z"})"),
      json(4242, {}, kTime));
  EXPECT_EQ(read_foreign_lock("{\n  \"session\": \"auth\",\n  \"pid\": \"4242\",\n"
                              "  \"started_at\": \"2026-02-08T10:30:00Z\"\n}\n"),
            json(4242, {}, kTime))
      << "a shell writes the pid as text";
  EXPECT_EQ(
      read_foreign_lock(R"({"pid": 31, "issue": 12, "started_at": "2026-02-08T10:30:00+00:00",)"
                        R"( "type": "issue", "session_name": null})"),
      json(31, {}, kTime));
  EXPECT_EQ(read_foreign_lock(R"({"pid":9,"cwd":"/x","startTime":"2026-02-08T11:30:00.000+01:00",)"
                              R"("hostname":"box","agents":["a"]})"),
            json(9, "box", kTime));
  EXPECT_EQ(read_foreign_lock(R"({"pid":9,"timestamp":1770546600000,"hostname":"box"})"),
            json(9, "box", kTime));
  EXPECT_EQ(read_foreign_lock(R"({"pid":9,"host":"box","created_at":1770546600})"),
            json(9, "box", kTime));
}

TEST(ForeignLock, EveryUsualKeyOfATimeCounts) {
  for (const std::string key : {"startTime", "start_time", "started", "startedAt", "started_at",
                                "acquired", "acquiredAt", "acquired_at", "created", "createdAt",
                                "created_at", "timestamp", "ts", "time", "locked_at", "lockedAt"}) {
    EXPECT_EQ(since_of(R"({"pid":9,")" + key + R"(":"2026-02-08T10:30:00Z"})"), kTime) << key;
    EXPECT_EQ(since_of(R"({"pid":9,")" + key + R"(":1770546600000})"), kTime) << key;
  }
}

TEST(ForeignLock, TicksAreNoTime) {
  EXPECT_EQ(since_of(R"({"pid":9,"startTime":8823177})"), std::nullopt);
  EXPECT_EQ(since_of(R"({"pid":9,"start_time":1763200000})"), std::nullopt);
  EXPECT_EQ(since_of(R"({"pid":9,"started":8823177})"), std::nullopt);
  EXPECT_EQ(since_of(R"({"pid":9,"started":1770546600})"), kTime);
}

TEST(ForeignLock, OfSeveralTimesTheLatestCounts) {
  EXPECT_EQ(since_of(R"({"pid":9,"acquired":1770546600,"created":1770546500,"ts":"yesterday"})"),
            kTime);
  EXPECT_EQ(since_of(R"({"pid":9,"created":1770546500,"startTime":"2026-02-08T10:30:00Z"})"),
            kTime);
  EXPECT_EQ(since_of(R"({"pid":9,"time":"2026-02-08T10:30:00"})"), std::nullopt)
      << "without an offset nobody knows whose clock";
}

TEST(ForeignLock, APidThatIsNoneIsUnusable) {
  for (const std::string_view pid : {"0", "-1", "null", "true", "1.5", "4242.0", "2147483648",
                                     "\"\"", "\"12x\"", "\"-3\"", "[1]", "{}"}) {
    EXPECT_EQ(read_foreign_lock(R"({"host":"box","pid":)" + std::string(pid) + "}"),
              ForeignLock{.kind = Kind::kUnusable})
        << pid;
  }
  EXPECT_EQ(read_foreign_lock(R"({"pid":2147483647})").pid, 2'147'483'647);
}

TEST(ForeignLock, ARecordThatIsHalfWrittenIsUnusable) {
  const std::string_view whole = R"({"session":"auth","pid":4242,"started_at":"2026"})";
  for (std::size_t length = 1; length < whole.size(); ++length) {
    EXPECT_EQ(foreign_lock_kind_of(whole.substr(0, length)), Kind::kUnusable) << length;
  }
  EXPECT_EQ(foreign_lock_kind_of(R"({"pid":4242})" + std::string(3, '\0')), Kind::kUnusable);
  EXPECT_EQ(foreign_lock_kind_of(R"({"pid":4242} {"pid":4243})"), Kind::kUnusable);
  EXPECT_EQ(foreign_lock_kind_of("{\"pid\":4242,\"host\":\"\xff\"}"), Kind::kUnusable);
}

TEST(ForeignLock, SomethingElseSaysNothingAboutAHolder) {
  for (const std::string_view text : {"hello", "[1234]", R"({"name":"x"})", "12 monkeys", "-5",
                                      "0x12", "{oops}", "\"1234\"", "\xff\xfe 1", "1.5", "null"}) {
    EXPECT_EQ(read_foreign_lock(text), ForeignLock{.kind = Kind::kUnrecognised}) << text;
  }
  EXPECT_EQ(foreign_lock_kind_of(std::string_view("12\0", 3)), Kind::kUnrecognised);
}

TEST(ForeignLock, AFileThatIsTooLongIsNotRead) {
  const std::string padded = "12" + std::string(kMaxForeignLock - 2, '\n');
  EXPECT_EQ(read_foreign_lock(padded), number(12));
  EXPECT_EQ(foreign_lock_kind_of(padded + '\n'), Kind::kUnrecognised);
  EXPECT_NE(foreign_lock_kind_of(std::string(kMaxForeignLock, '{')), Kind::kJson);
}

}  // namespace
}  // namespace holdfast
