// SPDX-License-Identifier: Apache-2.0
#include "format/file/ledger_text.h"

#include <gtest/gtest.h>

#include <chrono>

#include "format/file/ledger_edit.h"
#include "format/file/ledger_query.h"
#include "format/text/rfc3339.h"

namespace holdfast {
namespace {

// "array: {…} | {…}", or the causes of the damage with their lines.
std::string read_as(std::string_view bytes, LedgerNaming naming = LedgerNaming::kOther) {
  const LedgerText ledger = read_ledger(bytes, naming);
  std::string text;
  if (ledger.whole()) {
    text = to_text(ledger.format);
    for (const LedgerEntry& entry : ledger.entries) text += " " + std::string(entry.text);
    return text;
  }
  for (const LedgerDamage& damage : ledger.damage) {
    text += std::string(damage.cause) + "@" + std::to_string(damage.line) + " ";
  }
  return text;
}

std::string ledger_text_kept(std::string_view bytes, LedgerNaming naming = LedgerNaming::kOther) {
  const LedgerText ledger = read_ledger(bytes, naming);
  EXPECT_FALSE(ledger.whole()) << bytes;
  std::string text = std::to_string(ledger.lost_bytes) + " lost";
  for (const LedgerEntry& entry : ledger.entries) text += " " + std::string(entry.text);
  return text;
}

constexpr auto kLines = LedgerNaming::kLines;

TEST(LedgerText, TheContentDecidesTheFormat) {
  EXPECT_EQ(read_as("[{\"a\":1},{\"a\":2}]", kLines), "array {\"a\":1} {\"a\":2}");
  EXPECT_EQ(read_as(" \n[\n  { \"a\" : 1.50 }\n]\n"), "array { \"a\" : 1.50 }");
  EXPECT_EQ(read_as("{\"a\":1}\n{\"a\":2}\n"), "lines {\"a\":1} {\"a\":2}");
  EXPECT_EQ(read_as("[]"), "array");
  EXPECT_EQ(read_as("", kLines), "lines");
  EXPECT_EQ(read_as("{\"a\":1}\n"), "lines {\"a\":1}");
}

TEST(LedgerText, LinesMayEndInCrLfHaveBlankLinesAndLackTheLastEnd) {
  EXPECT_EQ(read_as("{\"a\":1}\r\n\r\n  {\"a\":2} \r\n"), "lines {\"a\":1} {\"a\":2}");
  EXPECT_EQ(read_as("{\"a\":1}\n{\"a\":2}"), "lines {\"a\":1} {\"a\":2}");
}

TEST(LedgerText, AByteOrderMarkBelongsToTheHead) {
  const LedgerText array = read_ledger("\xEF\xBB\xBF[{}]", LedgerNaming::kOther);
  EXPECT_TRUE(array.whole());
  EXPECT_EQ(array.head, "\xEF\xBB\xBF[");
  const LedgerText lines = read_ledger("\xEF\xBB\xBF{}\n{}\n", LedgerNaming::kOther);
  EXPECT_TRUE(lines.whole());
  EXPECT_EQ(lines.head, "\xEF\xBB\xBF");
  EXPECT_EQ(read_as("\xEF\xBB\xBF\xEF\xBB\xBF[{}]"), "double-bom@1 ");
  EXPECT_EQ(read_as("{}\n\xEF\xBB\xBF{}\n"), "not-json@2 ");
}

TEST(LedgerText, SpansAndGapsAreAllOfTheBytes) {
  for (const std::string_view bytes :
       {"\xEF\xBB\xBF [ {\"a\":1} ,\n\t{} ] \n", "\n{\"a\":1}\r\n\n {}\n\n", "[]", "[ ]\n"}) {
    const LedgerText ledger = read_ledger(bytes, kLines);
    ASSERT_TRUE(ledger.whole()) << bytes;
    std::string again(ledger.head);
    for (const LedgerEntry& entry : ledger.entries) {
      again += entry.gap;
      again += entry.text;
    }
    again += ledger.tail;
    EXPECT_EQ(again, bytes);
  }
}

TEST(LedgerText, NothingIsNotAnEmptyArray) {
  EXPECT_EQ(read_as(""), "empty-file@1 ");
  EXPECT_EQ(read_as(" \n\n"), "empty-file@1 ");
  EXPECT_EQ(read_as("\xEF\xBB\xBF"), "empty-file@1 ");
}

TEST(LedgerText, AnotherValueIsNotALedger) {
  for (const std::string_view bytes :
       {"{\n  \"a\": 1\n}\n", "5\n", "\"text\"", "null", "{\n\"a\":\n{}\n}"}) {
    EXPECT_EQ(read_as(bytes), "not-a-ledger@1 ") << bytes;
    EXPECT_FALSE(read_ledger(bytes, kLines).is_ledger()) << bytes;
    EXPECT_TRUE(read_ledger(bytes, kLines).entries.empty()) << bytes;
  }
  EXPECT_EQ(read_as("{\"a\":1}\n", LedgerNaming::kJson), "not-a-ledger@1 ");
}

TEST(LedgerText, DamageIsNamedWithItsLine) {
  EXPECT_EQ(read_as("[\n{},\n{\"a\":"), "cut-off@3 ");
  EXPECT_EQ(read_as("[\n{},\n!\n]"), "not-json@3 ");
  EXPECT_EQ(read_as("[{}]\nx"), "not-json@2 ");
  EXPECT_EQ(read_as("[{},\n3,{}]"), "entry-not-object@2 ");
  EXPECT_EQ(read_as(std::string_view("[{}]\n\0\0", 7)), "nul-bytes@2 ");
  EXPECT_EQ(read_as("{}\n{\"a\":\n{}\n"), "not-json@2 ");
  EXPECT_EQ(read_as("{}\n{}\n{\"a\":"), "torn-tail@3 ");
  EXPECT_EQ(read_as("{}\n[1]\n{}\n"), "entry-not-object@2 ");
  EXPECT_EQ(read_as(std::string_view("{}\n\0\0\n{}\n", 9)), "nul-bytes@2 ");
  EXPECT_EQ(read_as(std::string_view("{}\n{}\n\0\0", 8)), "torn-tail@3 ");
}

TEST(LedgerText, AnArrayCutAnywhereKeepsTheWholeEntriesBeforeTheCut) {
  for (const std::string& whole : {std::string("[{\"a\":[{}]},{\"b\":\"],{\"},{\"c\":3}]"),
                                   std::string("[\n  {\n    \"a\": [\n      {}\n    ]\n  },\n  {\n "
                                               "   \"b\": \"],{\"\n  },\n  {}\n]\n")}) {
    const LedgerText all = read_ledger(whole, LedgerNaming::kOther);
    ASSERT_EQ(all.entries.size(), 3U);
    for (std::size_t cut = 1; cut < whole.rfind(']'); ++cut) {
      const LedgerText ledger =
          read_ledger(std::string_view(whole).substr(0, cut), LedgerNaming::kOther);
      ASSERT_FALSE(ledger.whole()) << cut;
      EXPECT_EQ(ledger.damage.front().cause, "cut-off") << cut;
      std::size_t before = 0;
      while (before < 3 && all.entries[before].text.data() + all.entries[before].text.size() <=
                               whole.data() + cut) {
        ++before;
      }
      ASSERT_EQ(ledger.entries.size(), before) << whole.substr(0, cut);
      for (std::size_t i = 0; i < before; ++i)
        EXPECT_EQ(ledger.entries[i].text, all.entries[i].text);
    }
  }
}

TEST(LedgerText, EntriesBehindDamageAreFoundWhereTheLayoutShowsThem) {
  EXPECT_EQ(ledger_text_kept("[{\"a\":1},{\"b\":!},{\"c\":3}]"), "8 lost {\"a\":1} {\"c\":3}");
  EXPECT_EQ(ledger_text_kept("[{\"a\":1},,{\"c\":3}]"), "1 lost {\"a\":1} {\"c\":3}");
  EXPECT_EQ(ledger_text_kept("[{\"a\":1}{\"c\":3}]"), "0 lost {\"a\":1} {\"c\":3}");
  EXPECT_EQ(ledger_text_kept("[{\"a\":1},{\"b\":2]"), "7 lost {\"a\":1}");
  EXPECT_EQ(ledger_text_kept("[{\"a\":1},]"), "0 lost {\"a\":1}");
  EXPECT_EQ(ledger_text_kept("[{\"a\":1}]{\"b\":2}]"), "8 lost {\"a\":1}");
  EXPECT_EQ(ledger_text_kept("[\n  {\"a\":1},\n  {\"b\":\"unclosed},\n  {\"c\":3}\n]"),
            "16 lost {\"a\":1} {\"c\":3}");
  EXPECT_EQ(ledger_text_kept("[\n  garbage\n  {\"c\":3}\n]"), "7 lost {\"c\":3}");
}

TEST(LedgerText, AnObjectInsideADamagedEntryIsNeverAnEntry) {
  EXPECT_EQ(ledger_text_kept("[{\"l\":[{\"x\":1},{\"x\":2}],\"b\":!}]"), "30 lost");
  EXPECT_EQ(ledger_text_kept("[\n  {\n    \"l\": [\n      {}\n    ],\n    !\n  },\n  {\"c\":3}\n]"),
            "39 lost {\"c\":3}");
  // An indentation of 0 does not show where an entry begins.
  EXPECT_EQ(ledger_text_kept("[\n{\n\"l\": [\n{\n\"x\": !\n},\n{\n}\n]\n},\n{\n}\n]"),
            "29 lost {\n}");
  EXPECT_EQ(ledger_text_kept("[\n{\n\"l\": [\n{\n\"x\": \"\n},\n{\n}\n]\n}\n]"), "30 lost");
}

TEST(LedgerText, EveryGoodLineIsKept) {
  EXPECT_EQ(ledger_text_kept("{\"a\":1}\n{\"b\":\n{\"c\":3}\n{\"d\"", kLines),
            "9 lost {\"a\":1} {\"c\":3}");
}

TEST(LedgerText, TheListOfDamageIsBoundedAndItsCountIsNot) {
  std::string bytes = "{}\n";
  for (std::size_t i = 0; i < kMaxLedgerDamages + 5; ++i) bytes += "x\n";
  const LedgerText ledger = read_ledger(bytes, kLines);
  EXPECT_EQ(ledger.damage.size(), kMaxLedgerDamages);
  EXPECT_EQ(ledger.damages, kMaxLedgerDamages + 5);
}

TEST(LedgerText, TheErrorNamesCauseLineAndEntry) {
  const Error error = ledger_error(read_ledger("{}\n{\n{}\n", kLines), "p");
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.cause, "not-json");
  EXPECT_EQ(error.subject, "p");
  EXPECT_NE(error.detail.find("line 2, entry 2: "), std::string::npos) << error.detail;
}

// No bytes may cost more than a few looks at each of them.
TEST(LedgerText, ManyUnclosedEntriesAreReadInLinearTime) {
  std::string bytes = "[";
  for (int i = 0; i < 50'000; ++i) bytes += "\n  {\"a\":[";
  EXPECT_FALSE(read_ledger(bytes, LedgerNaming::kOther).whole());
  std::string one_line = "[";
  for (int i = 0; i < 50'000; ++i) one_line += "{\"a\":!},";
  EXPECT_FALSE(read_ledger(one_line, LedgerNaming::kOther).whole());
}

std::string ledger_text_nested(std::size_t levels) {
  std::string text = "{\"a\":";
  for (std::size_t i = 1; i < levels; ++i) text += '[';
  for (std::size_t i = 1; i < levels; ++i) text += ']';
  return (levels == 1 ? text + "1" : text) + "}";
}

TEST(LedgerText, AnEntryThatIsNestedTooDeeplyIsDamage) {
  const std::string deepest = ledger_text_nested(kMaxLedgerDepth);
  EXPECT_EQ(read_as("[" + deepest + "]"), "array " + deepest);
  EXPECT_EQ(read_as(deepest + "\n"), "lines " + deepest);
  const std::string deeper = ledger_text_nested(kMaxLedgerDepth + 1);
  EXPECT_EQ(read_as("[\n{\"b\":1},\n" + deeper + ",\n{}]"), "too-deep@3 ");
  EXPECT_EQ(ledger_text_kept("[{\"b\":1}," + deeper + ",{}]"),
            std::to_string(deeper.size()) + " lost {\"b\":1} {}");
  EXPECT_EQ(ledger_text_kept("[{\"b\":1}," + deeper + ",{},x"),
            std::to_string(deeper.size() + 2) + " lost {\"b\":1} {}");  // with its comma
  EXPECT_EQ(read_as("{}\n" + deeper + "\n{}\n"), "too-deep@2 ");
  EXPECT_EQ(read_as(deeper, kLines), "too-deep@1 ");
  EXPECT_EQ(read_as(deeper, LedgerNaming::kJson), "not-a-ledger@1 ");
  // Brackets in texts are no nesting.
  const std::string text = "{\"a\":\"" + std::string(kMaxLedgerDepth + 1, '[') + "\"}";
  EXPECT_EQ(read_as("[" + text + "]"), "array " + text);
}

// Each entry of the line would look through all that follows for the next line that begins one.
TEST(LedgerText, ALongDamagedLineIsGoneThroughOnce) {
  constexpr std::size_t kEntries = 50'000;
  std::string bytes = "[\n {}";
  for (std::size_t i = 1; i < kEntries; ++i) bytes += ",{}";
  bytes += ",{" + std::string(std::size_t{32} << 20U, 'x');
  const auto begin = std::chrono::steady_clock::now();
  const LedgerText ledger = read_ledger(bytes, LedgerNaming::kOther);
  EXPECT_EQ(ledger.entries.size(), kEntries);
  EXPECT_EQ(ledger.damages, 1U);
  // About a second; minutes where each entry costs a look through the rest.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

std::string appended(std::string_view bytes, std::string_view entry, const LedgerCaps& caps = {}) {
  const LedgerText ledger = read_ledger(bytes, LedgerNaming::kLines);
  EXPECT_TRUE(ledger.whole()) << bytes;
  const auto edit = append_to_ledger(ledger, entry, caps);
  return edit ? edit->bytes : to_sentence(edit.error());
}

std::string ledger_edit_repaired(std::string_view bytes) {
  const LedgerText ledger = read_ledger(bytes, LedgerNaming::kOther);
  EXPECT_FALSE(ledger.whole()) << bytes;
  const auto text = rebuilt_ledger(ledger);
  return text ? *text : to_sentence(text.error());
}

TEST(LedgerEdit, TheNewEntryIsWrittenAsTheOthersAre) {
  EXPECT_EQ(appended("[{\"a\":1},{\"a\":2}]", "{ \"a\" : 3, \"b\":[ 1 ] }"),
            "[{\"a\":1},{\"a\":2},{\"a\":3,\"b\":[1]}]");
  EXPECT_EQ(appended("[{\"a\": 1, \"b\": 2}]\n", "{\"a\":3,\"b\":4}"),
            "[{\"a\": 1, \"b\": 2}, {\"a\": 3, \"b\": 4}]\n");
  EXPECT_EQ(appended("[\n  {\n    \"a\": 1\n  }\n]\n", "{\"b\":2}"),
            "[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": 2\n  }\n]\n");
  EXPECT_EQ(appended("[\r\n\t{\"a\":1},\r\n\t{\"a\":2}\r\n]", "{\"a\":3}"),
            "[\r\n\t{\"a\":1},\r\n\t{\"a\":2},\r\n\t{\"a\":3}\r\n]");
  EXPECT_EQ(appended("{\"a\": 1}\r\n{\"a\": 2}\r\n", "{\"a\":3,\"b\":4}"),
            "{\"a\": 1}\r\n{\"a\": 2}\r\n{\"a\": 3, \"b\": 4}\r\n");
}

TEST(LedgerEdit, AnEmptyLedgerGetsItsFirstEntry) {
  EXPECT_EQ(appended("[]", "{\"a\":1}"), "[{\"a\":1}]");
  EXPECT_EQ(appended("\xEF\xBB\xBF[ ] \n", "{}"), "\xEF\xBB\xBF[{}] \n");
  EXPECT_EQ(appended(empty_ledger(LedgerFormat::kArray), "{\"a\":1}"), "[\n  {\"a\":1}\n]\n");
  EXPECT_EQ(appended("", "{\"a\":\n1}"), "{\"a\":1}\n");
  EXPECT_EQ(appended("\xEF\xBB\xBF", "{}"), "\xEF\xBB\xBF{}\n");
}

TEST(LedgerEdit, AMissingLastLineEndIsAdded) {
  EXPECT_EQ(appended("{\"a\":1}\n{\"a\":2}", "{}"), "{\"a\":1}\n{\"a\":2}\n{}\n");
}

TEST(LedgerEdit, WhatStaysKeepsItsBytes) {
  EXPECT_EQ(appended("[ {\"z\" :1.50, \"a\":1E3} ,{\"b\":\"\\u0041\"} ]", "{}"),
            "[ {\"z\" :1.50, \"a\":1E3} ,{\"b\":\"\\u0041\"} ,{} ]");
}

TEST(LedgerEdit, ACapKeepsTheNewestInTheOrderOfTheFile) {
  EXPECT_EQ(appended("[\n{\"a\":1},\n{\"a\":2},\n{\"a\":3}\n]", "{\"a\":4}", {.newest = 2}),
            "[\n{\"a\":3},\n{\"a\":4}\n]");
  EXPECT_EQ(appended("{\"a\":1}\n{\"a\":2}\n", "{\"a\":3}", {.newest = 1}), "{\"a\":3}\n");
}

TEST(LedgerEdit, ACapPerFieldLetsNoNoisyValueDriveOutAnother) {
  const LedgerCaps caps{.per = {{.field = {"k"}, .newest = 1}}};
  EXPECT_EQ(
      appended("{\"k\":\"x\"}\n{\"n\":1}\n{\"k\":\"y\",\"i\":1}\n", "{\"k\":\"y\",\"i\":2}", caps),
      "{\"k\":\"x\"}\n{\"n\":1}\n{\"k\":\"y\",\"i\":2}\n");
  // A text and a number are two values.
  EXPECT_EQ(appended("{\"k\":1}\n", "{\"k\":\"1\"}", caps), "{\"k\":1}\n{\"k\":\"1\"}\n");
  const LedgerCaps nested{.per = {{.field = {"o", "k"}, .newest = 1}}};
  EXPECT_EQ(appended("{\"o\":{\"k\":1}}\n", "{\"o\":{\"k\":1},\"i\":2}", nested),
            "{\"o\":{\"k\":1},\"i\":2}\n");
}

TEST(LedgerEdit, CapsPerFieldComeBeforeTheCapOnAll) {
  const LedgerCaps caps{.per = {{.field = {"k"}, .newest = 1}}, .newest = 2};
  EXPECT_EQ(appended("{\"k\":1}\n{\"k\":2}\n{\"k\":3,\"i\":1}\n", "{\"k\":3,\"i\":2}", caps),
            "{\"k\":2}\n{\"k\":3,\"i\":2}\n");
}

TEST(LedgerEdit, ARepairKeepsTheEntriesAndTheStyle) {
  EXPECT_EQ(ledger_edit_repaired("[{\"a\":1},{\"b\":"), "[{\"a\":1}]\n");
  EXPECT_EQ(ledger_edit_repaired("[\n  {\"a\": 1},\n  {\"b\": !},\n  {\"c\": 3},\n  {\"d\""),
            "[\n  {\"a\": 1},\n  {\"c\": 3}\n]\n");
  EXPECT_EQ(ledger_edit_repaired("[{\"a\":1}{\"c\":3}"), "[{\"a\":1},{\"c\":3}]\n");
  EXPECT_EQ(ledger_edit_repaired("{\"a\":1}\r\nx\r\n{\"c\":3}\r\n{\"d"),
            "{\"a\":1}\r\n{\"c\":3}\r\n");
  EXPECT_EQ(ledger_edit_repaired("[3,{\"a\":1}]"), "[{\"a\":1}]\n");
  EXPECT_EQ(ledger_edit_repaired(""), "[\n]\n");
  EXPECT_EQ(ledger_edit_repaired("\xEF\xBB\xBF\xEF\xBB\xBF[{}]"), "\xEF\xBB\xBF[{}]\n");
}

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
