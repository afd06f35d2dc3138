// SPDX-License-Identifier: Apache-2.0
#include "format/loop/loop_source.h"
#include "base/path_text.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using LoopSourceWords = std::vector<std::string>;
using namespace std::string_view_literals;

LoopFile loop() { return {.name = "fix", .id = "id"}; }

// The ids in their order, or "REFUSED: the detail".
std::string ids(std::string_view bytes, const LoopFile& file = loop()) {
  const auto items = parse_source(bytes, file);
  if (!items) {
    EXPECT_EQ(items.error().code, ErrorCode::kCannotTell);
    EXPECT_EQ(items.error().cause, "bad-source");
    return "REFUSED: " + items.error().detail;
  }
  std::string result;
  for (const SourceItem& item : items->items) result += (result.empty() ? "" : " ") + item.id;
  return result;
}

bool refused(std::string_view bytes, const LoopFile& file = loop()) {
  return ids(bytes, file).starts_with("REFUSED: ");
}

TEST(LoopSource, EveryLineIsAnItemAsItWasPrinted) {
  const auto items = parse_source("{\"id\":\"a\"}\n\n  \r\n {\"x\": 1, \"id\": 7} \n", loop());
  ASSERT_TRUE(items);
  ASSERT_EQ(items->items.size(), 2U);
  EXPECT_EQ(items->items[0].id, "a");
  EXPECT_EQ(items->items[0].json, R"({"id":"a"})");
  EXPECT_EQ(items->items[1].id, "7");
  EXPECT_EQ(items->items[1].json, R"( {"x": 1, "id": 7} )");
  EXPECT_EQ(items->listed, 2U);
  EXPECT_EQ(ids(""), "");
  EXPECT_EQ(ids("\n"), "");
}

TEST(LoopSource, OneBadLineAndNothingIsUsed) {
  const std::string good = "{\"id\":\"a\"}\n";
  for (const char* line :
       {"x\n", "[]\n", "5\n", "{\"id\":\"b\"\n", "{}\n", "{\"id\":null}\n", "{\"id\":\"\"}\n",
        "{\"id\":1.5}\n", "{\"id\":1e3}\n", "{\"id\":true}\n", "{\"id\":[\"b\"]}\n",
        "{\"id\":{\"b\":1}}\n", "{\"id\":\"\\u0000\"}\n", "{\"id\":\"\xff\"}\n",
        "{\"id\":\"b\"} {\"id\":\"c\"}\n", "{\"id\":\"a\"}\n", "\xEF\xBB\xBF{\"id\":\"b\"}\n"}) {
    EXPECT_TRUE(refused(good + line)) << line;
  }
  // Readers differ about which of two counts.
  for (const char* line : {R"({"id":"b","id":"c"})", R"({"id":"b","i\u0064":"b"})",
                           R"({"id":"b","a":[{"x":1,"x":1}]})"}) {
    EXPECT_TRUE(refused(good + line + "\n")) << line;
  }
  EXPECT_FALSE(refused(good + R"({"id":"b","a":{"id":1},"b":[{"id":1},{"id":1}]})" + "\n"));
  EXPECT_TRUE(refused(good + "{\"id\":\"" + std::string(65, 'i') + "\"}\n"));
  EXPECT_FALSE(refused(good + "{\"id\":\"" + std::string(64, 'i') + "\"}\n"));
  EXPECT_NE(ids(good + "\nx\n").find("line 3 "), std::string::npos) << ids(good + "\nx\n");
}

TEST(LoopSource, CutAnywhereButBehindALineItIsRefused) {
  const std::string whole = "{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":12345}\n";
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const std::string cut = whole.substr(0, length);
    EXPECT_EQ(refused(cut), !cut.ends_with('\n')) << length;
  }
}

TEST(LoopSource, AnIdComesOnceAlsoAmongThoseThatAreFiltered) {
  LoopFile file = loop();
  file.filter = {{.field = "state", .one_of = {"ready"}}};
  EXPECT_TRUE(refused("{\"id\":1,\"state\":\"ready\"}\n{\"id\":\"1\"}\n", file));
  EXPECT_TRUE(refused("{\"id\":1}\n{\"id\":1}\n", file));
}

TEST(LoopSource, NulSeparatedIds) {
  LoopFile file = loop();
  file.source_is_nul = true;
  const auto items = parse_source("a b\0\"q\"\n\0\xC3\xBC\0"sv, file);
  ASSERT_TRUE(items);
  ASSERT_EQ(items->items.size(), 3U);
  EXPECT_EQ(items->items[0].json, R"({"id":"a b"})");
  EXPECT_EQ(items->items[1].id, "\"q\"\n");
  EXPECT_EQ(items->items[1].json, R"({"id":"\"q\"\n"})");
  EXPECT_EQ(items->items[2].id, "\xC3\xBC");
  EXPECT_TRUE(refused("a\0b"sv, file));
  EXPECT_TRUE(refused("a\0\0"sv, file));
  EXPECT_TRUE(refused("a\0a\0"sv, file));
  EXPECT_TRUE(refused("\xff\0"sv, file));
  EXPECT_TRUE(refused("a\n", file));
  file.filter = {{.field = "id", .one_of = {"b", "c"}}};
  EXPECT_EQ(ids("a\0b\0c\0"sv, file), "b c");
}

TEST(LoopSource, TheIdMayBeNested) {
  LoopFile file = loop();
  file.id = "issue.number";
  EXPECT_EQ(ids("{\"issue\":{\"number\":160}}\n", file), "160");
  EXPECT_TRUE(refused("{\"issue\":160}\n", file));
}

TEST(LoopSource, AllFiltersMustMatchAndNoExclusion) {
  LoopFile file = loop();
  file.filter = {{.field = "state", .one_of = {"ready", "new"}},
                 {.field = "author.login", .one_of = {"ann"}},
                 {.field = "draft", .one_of = {"false"}}};
  file.exclude = {{.field = "labels.name", .one_of = {"wip"}}, {.field = "size", .one_of = {"9"}}};
  const std::string rest = R"(,"state":"ready","author":{"login":"ann"},"draft":false)";
  const auto passes = [&](const std::string& more) {
    return ids("{\"id\":1" + more + "}\n", file);
  };
  EXPECT_EQ(passes(rest), "1");
  EXPECT_EQ(passes(rest + R"(,"labels":[{"name":"bug"}],"size":8)"), "1");
  EXPECT_EQ(passes(rest + R"(,"labels":[{"name":"bug"},{"name":"wip"}])"), "");
  EXPECT_EQ(passes(rest + R"(,"size":9)"), "");
  EXPECT_EQ(passes(rest + R"(,"size":9.0)"), "1");
  EXPECT_EQ(passes(R"(,"state":"ready","author":{"login":"ann"})"), "");
  EXPECT_EQ(passes(R"(,"state":"ready","author":"ann","draft":false)"), "");
  EXPECT_EQ(passes(R"(,"state":["old","new"],"author":{"login":"ann"},"draft":"false")"), "1");
  EXPECT_EQ(passes(R"(,"state":null,"author":{"login":"ann"},"draft":false)"), "");
}

// A list that was printed twice as deep, and a number that names an element.
TEST(LoopSource, ListsOnTheWayToAField) {
  LoopFile file = loop();
  const auto passes = [&](const char* field, const char* more) {
    file.filter = {{.field = field, .one_of = {"x"}}};
    return ids("{\"id\":1," + std::string(more) + "}\n", file) == "1";
  };
  EXPECT_TRUE(passes("a.0", R"("a":["x","y"])"));
  EXPECT_FALSE(passes("a.1", R"("a":["x","y"])"));
  EXPECT_TRUE(passes("a.b.c", R"("a":[{"b":[{"c":"y"},{"c":["z","x"]}]}])"));
  EXPECT_TRUE(passes("a.0.b", R"("a":[{"b":"x"}])"));
  EXPECT_FALSE(passes("a", R"("a":[["x"]])"));
  EXPECT_FALSE(passes("a", R"("a":{"b":"x"})"));
  EXPECT_FALSE(passes("a.b", R"("a":[])"));
}

TEST(LoopSource, LargerNumbersFirstThenAsPrinted) {
  LoopFile file = loop();
  file.priority = "p";
  EXPECT_EQ(ids("{\"id\":\"a\"}\n{\"id\":\"b\",\"p\":1}\n{\"id\":\"c\",\"p\":2.5}\n"
                "{\"id\":\"d\",\"p\":\"nan\"}\n{\"id\":\"e\",\"p\":-1}\n{\"id\":\"f\",\"p\":1}\n"
                "{\"id\":\"g\",\"p\":\"7\"}\n{\"id\":\"h\",\"p\":null}\n",
                file),
            "g c b f e a d h");
}

TEST(LoopSource, WordsInTheirOrderAndTheRestLast) {
  LoopFile file = loop();
  file.priority = "labels";
  file.priority_order = {"high", "low"};
  EXPECT_EQ(ids("{\"id\":1,\"labels\":[\"low\"]}\n{\"id\":2}\n{\"id\":3,\"labels\":[\"x\"]}\n"
                "{\"id\":4,\"labels\":[\"low\",\"high\"]}\n{\"id\":5,\"labels\":\"high\"}\n",
                file),
            "4 5 1 2 3");
}

std::string filled(std::string_view text, std::string_view item) {
  const auto result = fill_text(text, item);
  if (result) return *result;
  EXPECT_EQ(result.error().code, ErrorCode::kCannotTell);
  return result.error().cause;
}

TEST(LoopSource, PlaceholdersTakeTextNumbersAndBooleans) {
  const char* item = R"({"n":160,"t":"a; rm \"x\" {n}","b":true,"u":{"l":"ann"},"e":"","f":1.50})";
  EXPECT_EQ(filled("fix-{n}", item), "fix-160");
  EXPECT_EQ(filled("{t}", item), "a; rm \"x\" {n}");
  EXPECT_EQ(filled("{b} {u.l} {f} {{n}}", item), "true ann 1.50 {n}");
  EXPECT_EQ(filled("{e}", item), "");
}

TEST(LoopSource, ACommandWithAHoleInItIsNotRun) {
  const char* item = R"({"n":null,"l":[1],"o":{"x":1},"z":"\u0000"})";
  for (const char* text : {"{missing}", "{n}", "{l}", "{o}", "{z}", "{o.y}", "{l.x}"}) {
    EXPECT_EQ(filled(text, item), "no-such-field") << text;
  }
  EXPECT_EQ(filled("{n}", "{"), "bad-source");
  EXPECT_EQ(filled("{n}", "[1]"), "bad-source");
  EXPECT_EQ(filled("{n}", ""), "bad-source");
}

TEST(LoopSource, ALineIsTakenAsItIs) {
  const auto line =
      fill_command({.words = shell_words("echo {n} }"), .is_line = true}, R"({"n":1})");
  ASSERT_TRUE(line);
  EXPECT_EQ(*line, shell_words("echo {n} }"));
  const auto words = fill_command({.words = {"say", "{n}", "x{n}"}}, R"({"n":1})");
  ASSERT_TRUE(words);
  EXPECT_EQ(*words, (LoopSourceWords{"say", "1", "x1"}));
}

TEST(LoopSource, TenThousandItemsInTheirOrder) {
  LoopFile file = loop();
  file.priority = "p";
  file.filter = {{.field = "state", .one_of = {"ready"}}};
  std::string bytes;
  for (int i = 0; i < 10'000; ++i) {
    bytes += "{\"id\":" + std::to_string(i) + ",\"p\":" + std::to_string(i % 100) +
             ",\"state\":\"" + (i % 2 == 0 ? "ready" : "wip") + "\",\"title\":\"" +
             std::string(200, 't') + "\"}\n";
  }
  const auto items = parse_source(bytes, file);
  ASSERT_TRUE(items);
  EXPECT_EQ(items->listed, 10'000U);
  ASSERT_EQ(items->items.size(), 5'000U);
  EXPECT_EQ(items->items.front().id, "98");
  EXPECT_EQ(items->items[1].id, "198");
  EXPECT_EQ(items->items.back().id, "9900");
}

}  // namespace
}  // namespace holdfast
