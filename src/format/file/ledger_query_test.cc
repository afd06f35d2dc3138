// SPDX-License-Identifier: Apache-2.0
#include "format/file/ledger_query.h"

#include <gtest/gtest.h>

#include "format/file/ledger_entry.h"
#include "format/file/ledger_time.h"
#include "format/text/rfc3339.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;
using Verdict = LedgerAnswer::Verdict;

const WallTime kNow{1'794'728'760s};  // 2026-11-15T07:46:00Z

std::string time_of(std::string_view value) {
  const auto time = parse_ledger_time(value);
  return time ? format_rfc3339(*time) : "unreadable";
}

TEST(LedgerTime, TextWithAnyOffsetAndNumbersAreRead) {
  EXPECT_EQ(time_of("\"2026-11-15T07:46:00.123Z\""), "2026-11-15T07:46:00.123Z");
  EXPECT_EQ(time_of("\"2026-11-15t09:46:00+02:00\""), "2026-11-15T07:46:00.000Z");
  EXPECT_EQ(time_of("\"2026-11-15 01:16:00.5-06:30\""), "2026-11-15T07:46:00.500Z");
  EXPECT_EQ(time_of("\"2026-11-15T07:46:00.123456789999z\""), "2026-11-15T07:46:00.123Z");
  EXPECT_EQ(time_of("1794728760"), "2026-11-15T07:46:00.000Z");
  EXPECT_EQ(time_of("1794728760.5"), "2026-11-15T07:46:00.500Z");
  EXPECT_EQ(time_of("1794728760123"), "2026-11-15T07:46:00.123Z");
  EXPECT_EQ(time_of("0"), "1970-01-01T00:00:00.000Z");
}

TEST(LedgerTime, WhatCouldMeanTwoTimesIsUnreadable) {
  for (const std::string_view value :
       {"\"2026-11-15T07:46:00\"", "\"2026-11-15\"", "\"\"", "\"2026-13-15T07:46:00Z\"",
        "\"2026-11-15T07:46:00.Z\"", "\"2026-11-15T07:46:00+2:00\"",
        "\"2026-11-15T07:46:00+24:00\"", "\"1969-12-31T23:59:59Z\"", "-5", "1794728760123456",
        "null", "true", "{}", "\"1794728760\"", "1e13"}) {
    EXPECT_EQ(time_of(value), "unreadable") << value;
  }
}

struct Asked {
  Verdict verdict;
  std::size_t number = 99;
  EntryTime state = EntryTime::kMissing;
};

Asked ask(std::string_view bytes, std::vector<std::string_view> where,
          std::optional<Duration> within = {}) {
  const LedgerText ledger = read_ledger(bytes, LedgerNaming::kLines);
  EXPECT_TRUE(ledger.whole()) << bytes;
  LedgerQuestion question{.where = {}, .time_field = {"t"}, .within = within, .now = kNow};
  for (const std::string_view text : where) question.where.push_back(*parse_ledger_where(text));
  const LedgerAnswer answer = last_in_ledger(ledger, question);
  if (!answer.entry) return {.verdict = answer.verdict};
  return {answer.verdict, answer.entry->number, answer.entry->state};
}

constexpr std::string_view kLedger =
    "{\"k\":\"a\",\"n\":5,\"t\":1794728700}\n"
    "{\"k\":\"a\",\"n\":\"5\",\"o\":{\"l\":[true]},\"t\":1794720000}\n"
    "{\"k\":\"b\",\"t\":1794728700}\n";

TEST(LedgerQuery, TheNewestThatMatchesIsTheLastInTheFile) {
  EXPECT_EQ(ask(kLedger, {}).number, 2U);
  EXPECT_EQ(ask(kLedger, {"k=a"}).number, 1U);
  EXPECT_EQ(ask(kLedger, {"n=5", "k!=b"}).number, 1U);
  EXPECT_EQ(ask(kLedger, {"o.l.0=true"}).number, 1U);
  EXPECT_EQ(ask(kLedger, {"o.l.0!=true", "k=a"}).number, 0U);
  EXPECT_EQ(ask(kLedger, {"k=c"}).verdict, Verdict::kNotFound);
  EXPECT_EQ(ask(kLedger, {"n=5.0"}).verdict, Verdict::kNotFound);
}

TEST(LedgerQuery, WithinLooksAtTheTimeAndNotAtTheOrder) {
  EXPECT_EQ(ask(kLedger, {"k=a"}, 1h).number, 0U);  // the later one is older
  EXPECT_EQ(ask(kLedger, {"k=a"}, 60s).number, 0U);
  EXPECT_EQ(ask(kLedger, {"k=a"}, 59s).verdict, Verdict::kNotFound);
}

TEST(LedgerQuery, AnEntryWithoutAReadableTimeIsNeverANo) {
  EXPECT_EQ(ask("{\"k\":1}\n", {"k=1"}, 1h).verdict, Verdict::kCannotTell);
  EXPECT_EQ(ask("{\"t\":\"soon\"}\n", {}, 1h).state, EntryTime::kUnreadable);
  EXPECT_EQ(ask("{\"t\":\"soon\"}\n", {}).verdict, Verdict::kFound);
  EXPECT_EQ(ask("{\"t\":\"soon\",\"k\":1}\n{\"k\":2,\"t\":5}\n", {"k=2"}, 1h).verdict,
            Verdict::kNotFound);
}

TEST(LedgerQuery, AFutureTimeIsNeitherYesNorNo) {
  const std::string future = "{\"t\":1794728821}\n";
  EXPECT_EQ(ask(future, {}, 24h).verdict, Verdict::kCannotTell);
  EXPECT_EQ(ask(future, {}, 24h).state, EntryTime::kFuture);
  EXPECT_EQ(ask(future, {}).state, EntryTime::kFuture);
  EXPECT_EQ(ask("{\"t\":1794728820}\n", {}, 0s).verdict, Verdict::kFound);  // two clocks may differ
  EXPECT_EQ(ask("{\"t\":1794728700}\n" + future, {}, 1h).number, 0U);       // an honest one decides
}

TEST(LedgerQuery, WhatIsNoConditionIsUsage) {
  for (const std::string_view text : {"k", "=v", "!=v", "a..b=v", ".a=v", ""}) {
    const auto where = parse_ledger_where(text);
    ASSERT_FALSE(where) << text;
    EXPECT_EQ(where.error().code, ErrorCode::kUsage) << text;
  }
  EXPECT_EQ(parse_ledger_where("k==v")->value, "=v");
}

std::string stamped(std::string_view entry, LedgerTimes times = LedgerTimes::kOurs) {
  const auto text = stamped_ledger_entry(entry, "time", kNow, times);
  return text ? *text : text.error().cause;
}

TEST(LedgerEntry, TheTimeIsOursAndStandsBehindTheRest) {
  EXPECT_EQ(stamped("{\"b\":1.50, \"a\":2}"),
            "{\"b\":1.50, \"a\":2,\"time\":\"2026-11-15T07:46:00.000Z\"}");
  EXPECT_EQ(stamped("{ }"), "{ \"time\":\"2026-11-15T07:46:00.000Z\"}");
  EXPECT_EQ(stamped("{\"time\":5}"), "time-given");
  EXPECT_EQ(stamped("{\"\\u0074ime\":5}"), "time-given");
  EXPECT_EQ(stamped("{\"time\":5}", LedgerTimes::kKeep), "{\"time\":5}");
  EXPECT_EQ(stamped("{\"time\":\"soon\"}", LedgerTimes::kKeep), "bad-time");
}

TEST(LedgerEntry, WhatIsNotOneObjectIsRefused) {
  const auto cause = [](std::string_view json) {
    const auto entry = checked_ledger_entry(json);
    return entry ? *entry : entry.error().cause;
  };
  EXPECT_EQ(cause(" \n{\"b\":1.50 ,\"a\":2}\n"), "{\"b\":1.50 ,\"a\":2}");
  EXPECT_EQ(cause(""), "not-json");
  EXPECT_EQ(cause("{\"a\":"), "not-json");
  EXPECT_EQ(cause("{} {}"), "not-json");
  EXPECT_EQ(cause("\xEF\xBB\xBF{}"), "not-json");
  EXPECT_EQ(cause(std::string_view("{}\0", 3)), "not-json");
  EXPECT_EQ(cause("[{}]"), "not-an-object");
  EXPECT_EQ(cause("{\"a\":1,\"a\":2}"), "duplicate-key");
  EXPECT_EQ(cause("{\"a\":\"" + std::string(kMaxLedgerEntryBytes, 'x') + "\"}"), "entry-too-large");
  std::string deep = "{\"a\":";
  for (int i = 0; i < 100; ++i) deep += "[";
  deep += std::string(100, ']') + "}";
  EXPECT_EQ(cause(deep), "too-deep");
}

}  // namespace
}  // namespace holdfast
