// SPDX-License-Identifier: Apache-2.0
#include "format/file/ledger_text.h"

#include <gtest/gtest.h>

#include <chrono>

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

}  // namespace
}  // namespace holdfast
