// SPDX-License-Identifier: Apache-2.0
#include "cli/output/table.h"

#include <gtest/gtest.h>

#include "cli/frame/test_frame.h"
#include "cli/output/wrap.h"
#include "format/text/rfc3339.h"

namespace holdfast::cli {
namespace {

constexpr std::array kTestColumns{TableColumn{"NAME", 0, 8}, TableColumn{"STATE"},
                                  TableColumn{"PID", 2}, TableColumn{"AGE", 1},
                                  TableColumn{"COMMAND", 0, 10}};

std::string shown_at(std::optional<int> width, const std::vector<TableRow>& rows) {
  RecordingContext context;
  context.width = width;
  return table_text(context, kTestColumns, rows);
}

const std::vector<TableRow> kTestRows{
    {"a", "running", "4711", "3m", "make everything and a little more of it"},
    {std::string(60, 'n'), "exited(0)", "-", "-", "true"}};

TEST(Table, NothingIsLeftOutWhereThereIsNoTerminal) {
  EXPECT_EQ(shown_at(std::nullopt, {kTestRows[0]}),
            "NAME  STATE    PID   AGE  COMMAND\n"
            "a     running  4711  3m   make everything and a little more of it\n");
}

TEST(Table, EveryLineFitsEveryTerminal) {
  for (int width = 1; width <= 130; ++width) {
    const std::string text = shown_at(width, kTestRows);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      EXPECT_LE(columns_of(text.substr(at, text.find('\n', at) - at)),
                static_cast<std::size_t>(width))
          << text;
    }
  }
}

TEST(Table, ColumnsGoByTheirPriorityAndThenTextsAreCut) {
  const std::string narrow = shown_at(40, kTestRows);
  EXPECT_TRUE(narrow.starts_with("NAME")) << narrow;
  EXPECT_EQ(narrow.find("PID"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("exited(0)"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("…"), std::string::npos) << narrow;
  const std::string wide = shown_at(80, kTestRows);
  EXPECT_NE(wide.find("4711"), std::string::npos) << wide;
}

TEST(Table, TimesAreRelativeOnATerminal) {
  const WallTime now = *parse_rfc3339("2026-11-15T07:46:00.000Z");
  RecordingContext context;
  EXPECT_EQ(ago_text(context, now - std::chrono::seconds(200), now), "3m20s");
  context.width = 80;
  EXPECT_EQ(ago_text(context, now - std::chrono::seconds(200), now), "3 min ago");
  EXPECT_EQ(ago_text(context, now - std::chrono::hours(49), now), "2 d ago");
  EXPECT_EQ(ago_text(context, now, now), "now");
  EXPECT_EQ(ago_text(context, now + std::chrono::hours(1), now), "now") << "clocks step";
}

}  // namespace
}  // namespace holdfast::cli
