// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_line.h"

#include <gtest/gtest.h>

#include "cli/frame/test_frame.h"
#include "cli/output/wrap.h"

namespace holdfast::cli {
namespace {

RecordFields record() {
  return {.seq = 7,
          .wall_us = 1'763'192'760'123'999,
          .boot_us = 1,
          .boot = "0f3c9a12",
          .writer = "4711.88231",
          .event_class = EventClass::kDecision,
          .type = "lock.fail_open",
          .data = "{}"};
}

TEST(JournalLine, JsonHasTheFieldsInOrderAndTheDataAsItStands) {
  std::string line;
  append_json_line(record(), R"({"lock":"a","n":1.50})", line);
  EXPECT_EQ(line, R"({"seq":7,"time":"2025-11-15T07:46:00.123Z","type":"lock.fail_open",)"
                  R"("class":"decision","writer":"4711.88231","boot":"0f3c9a12",)"
                  R"("data":{"lock":"a","n":1.50}})"
                  "\n");
  EXPECT_FALSE(parse_json(line).is_invalid());
}

TEST(JournalLine, CsvHasOneFieldForEachColumn) {
  std::string line;
  append_csv_line(record(), R"({"a":"x,\"y\""})", line);
  EXPECT_EQ(line,
            "7,2025-11-15T07:46:00.123Z,lock.fail_open,decision,4711.88231,0f3c9a12,"
            "\"{\"\"a\"\":\"\"x,\\\"\"y\\\"\"\"\"}\"\n");
}

TEST(JournalLine, CsvQuotesWhereItMust) {
  const auto field = [](std::string_view text) {
    std::string out;
    append_csv_field(text, out);
    return out;
  };
  EXPECT_EQ(field(""), "");
  EXPECT_EQ(field("{}"), "{}");
  EXPECT_EQ(field("a b"), "a b");
  EXPECT_EQ(field("a,b"), "\"a,b\"");
  EXPECT_EQ(field("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(field("a\rb"), "\"a\rb\"");
}

TEST(JournalLine, ABrokenClockIsClampedAndNotMisprinted) {
  RecordFields old = record();
  old.wall_us = -1;
  std::string line;
  append_json_line(old, "{}", line);
  EXPECT_NE(line.find("\"1970-01-01T00:00:00.000Z\""), std::string::npos) << line;
}

std::string line_at(std::optional<int> width, std::string_view data,
                    std::string_view type = "lock.busy") {
  RecordingContext context;
  context.width = width;
  RecordFields record;
  record.wall_us = 1'763'192'760'123'999;
  record.type = type;
  return table_line(context, record, data);
}

TEST(JournalTable, FactsAreKeysAndValues) {
  EXPECT_EQ(facts(R"({"lock":"deploy","waited_ms":1500,"forced":true,"x":null})"),
            "lock=deploy waited_ms=1500 forced=true x=null");
  EXPECT_EQ(facts(R"({"a":"two words","b":"","c":"q\"q","d":"x=y"})"),
            R"(a="two words" b="" c="q\"q" d="x=y")");
  EXPECT_EQ(facts(R"({"holder":{"pid":1},"argv":["a","b c"]})"),
            R"(holder={"pid":1} argv=["a","b c"])");
  EXPECT_EQ(facts("{}"), "");
}

TEST(JournalTable, FactsCannotDriveATerminalOrForgeALine) {
  EXPECT_EQ(facts("{\"a\":\"\x1b[2J\",\"b\":\"1\\n2\"}").find('\x1b'), std::string::npos);
  EXPECT_EQ(facts(R"({"a":"\u001b[2J","b":"1\n2"})"), R"(a=\x1b[2J b="1\n2")");
  EXPECT_EQ(facts("not json\n"), "not json\\x0a");
}

TEST(JournalTable, WithoutATerminalTheLineIsWhole) {
  const std::string text(500, 'y');
  EXPECT_EQ(line_at(std::nullopt, R"({"a":"b"})"),
            "2025-11-15T07:46:00Z  lock.busy               a=b\n");
  EXPECT_TRUE(line_at(std::nullopt, "{\"a\":\"" + text + "\"}").ends_with("a=" + text + "\n"));
  EXPECT_EQ(line_at(std::nullopt, "{}"), "2025-11-15T07:46:00Z  lock.busy\n");
}

TEST(JournalTable, OnATerminalALineIsNeverWiderThanIt) {
  const std::string data = "{\"lock\":\"" + std::string(300, 'y') + "ääää\"}";
  for (int width = 1; width < 400; ++width) {
    for (const std::string_view facts_of : {std::string_view(data), std::string_view("{}")}) {
      const std::string line = line_at(width, facts_of, "lock.release_refused");
      EXPECT_LE(columns_of(line) - 1, static_cast<std::size_t>(width)) << line;
    }
  }
  EXPECT_EQ(line_at(60, R"({"lock":"deploy","reason":"timeout"})"),
            "2025-11-15T07:46:00Z  lock.busy               lock=deploy r…\n");
}

TEST(JournalTable, CountsStandInColumns) {
  EXPECT_EQ(count_table({{{"deploy", "2026-11-15"}, 1200}, {{"a", "2026-11-14"}, 7}}),
            "deploy  2026-11-15  1200\n"
            "a       2026-11-14     7\n");
  EXPECT_EQ(count_table({}), "");
}

TEST(Wrap, CutToEndsWithinACharacterNever) {
  EXPECT_EQ(cut_to("abc", 3), "abc");
  EXPECT_EQ(cut_to("abcd", 3), "ab…");
  EXPECT_EQ(cut_to("ääää", 3), "ää…");
  EXPECT_EQ(cut_to("ab", 1), "…");
  EXPECT_EQ(cut_to("ab", 0), "");
  EXPECT_EQ(cut_to("", 0), "");
}

}  // namespace
}  // namespace holdfast::cli
