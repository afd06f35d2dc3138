// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_line.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holdfast::cli
