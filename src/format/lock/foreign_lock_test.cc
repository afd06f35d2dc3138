// SPDX-License-Identifier: Apache-2.0
#include "format/lock/foreign_lock.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

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
