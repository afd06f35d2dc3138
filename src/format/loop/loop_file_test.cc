// SPDX-License-Identifier: Apache-2.0
#include "format/loop/loop_file.h"

#include <gtest/gtest.h>

#include "base/path_text.h"
#include "format/loop/loop_source.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;
using LoopFileWords = std::vector<std::string>;

std::optional<std::string> loop_file_variable(const std::string& name) {
  if (name == "HOME") return "/home/me";
  return std::nullopt;
}

Result<LoopFile> loop_file_read(std::string_view text) {
  return parse_loop_file(text, "l.toml",
                         {.path = "/base/fix.toml", .variables = loop_file_variable});
}

// A loop with a source and a run, and more keys from line 4 on.
Result<LoopFile> loop_file_with(std::string_view keys) {
  return loop_file_read("[loop]\nsource = ['list']\nrun = ['agent']\n" + std::string(keys));
}

std::string loop_file_refusal(const Result<LoopFile>& file) {
  if (file) return "none";
  EXPECT_EQ(file.error().code, ErrorCode::kConfig);
  EXPECT_FALSE(file.error().detail.empty());
  return file.error().subject + " " + file.error().cause;
}

std::string why(std::string_view keys) {
  const auto file = loop_file_with(keys);
  return file ? "none" : file.error().detail;
}

TEST(LoopFile, WhatIsLeftOutHasADefault) {
  const auto file = loop_file_with("");
  ASSERT_TRUE(file);
  const LoopFile expected{
      .name = "fix",
      .path = "/base/fix.toml",
      .directory = "/base",
      .source = {.words = {"list"}},
      .source_timeout = 1min,
      .source_max = 16U << 20U,
      .id = "id",
      .run = LoopCommand{.words = {"agent"}},
      .timeout = 1h,
      .attempts = 3,
      .backoff = {5min, 30min, 2h},
      .cooldown = 24h,
      .concurrency = 1,
      .every = 1min,
      .verify_every = 1min,
      .act_timeout = 5min,
      .keep = 720h,
  };
  EXPECT_EQ(*file, expected);
}

TEST(LoopFile, EveryKeyIsTaken) {
  const auto file = loop_file_read(R"([loop]
name = "repair"
source = "gh issue list --json number --jq '.[] | {number}'"
output = "lines"
source_timeout = "10s"
source_max = "1M"
id = "number"
filter = { state = "ready", "author.login" = ["ann", "bob"], draft = false, milestone = 3 }
exclude = { label = "wip" }
priority = "prio"
priority_order = ["high", "low"]
profile = "holdfast.toml"
session_profile = "agent"
session = "fix-{number}"
timeout = "2h"
idle_timeout = 90
grace = 0
verify = ["./is-merged", "{number}"]
on_success = { run = ["./close", "{number}"], verify = "./is-closed", timeout = "1m" }
on_failure = "./tell"
attempts = 5
backoff = ["1m", 120]
notify = ["./comment", "{number}"]
cooldown = 0
concurrency = 256
every = "5s"
verify_every = "6s"
act_timeout = "7s"
chdir = "~/work"
env = { MODE = "fix", CACHE = "${HOME}/c" }
lock = ["repo", "./disk"]
keep = "1d"
[loop.budget]
items = 20
time = "6h"
failures = 5
)");
  ASSERT_TRUE(file) << loop_file_refusal(file);
  const LoopFile expected{
      .name = "repair",
      .path = "/base/fix.toml",
      .directory = "/home/me/work",
      .source = {.words = shell_words("gh issue list --json number --jq '.[] | {number}'"),
                 .is_line = true},
      .source_timeout = 10s,
      .source_max = 1U << 20U,
      .id = "number",
      .filter = {{.field = "state", .one_of = {"ready"}},
                 {.field = "author.login", .one_of = {"ann", "bob"}},
                 {.field = "draft", .one_of = {"false"}},
                 {.field = "milestone", .one_of = {"3"}}},
      .exclude = {{.field = "label", .one_of = {"wip"}}},
      .priority = "prio",
      .priority_order = {"high", "low"},
      .profile = "/base/holdfast.toml",
      .session_profile = "agent",
      .session = "fix-{number}",
      .timeout = 2h,
      .idle_timeout = 90s,
      .grace = 0s,
      .verify = LoopCommand{.words = {"./is-merged", "{number}"}},
      .on_success =
          LoopAct{.run = {.words = {"./close", "{number}"}},
                  .verify = LoopCommand{.words = shell_words("./is-closed"), .is_line = true},
                  .timeout = 1min},
      .on_failure = LoopAct{.run = {.words = shell_words("./tell"), .is_line = true}},
      .attempts = 5,
      .backoff = {1min, 2min},
      .notify = LoopCommand{.words = {"./comment", "{number}"}},
      .cooldown = 0s,
      .concurrency = 256,
      .every = 5s,
      .verify_every = 6s,
      .act_timeout = 7s,
      .keep = 24h,
      .environment = {"MODE=fix", "CACHE=/home/me/c"},
      .locks = {"repo", "/base/./disk"},
      .budget = {.items = 20, .time = 6h, .failures = 5},
  };
  EXPECT_EQ(*file, expected);
}

TEST(LoopFile, ADottedKeyOfAFilterIsANestedField) {
  const auto file =
      loop_file_with("filter = { author.login = 'ann' }\nexclude.a.b.c = [1, true]\n");
  ASSERT_TRUE(file) << loop_file_refusal(file);
  EXPECT_EQ(file->filter, (std::vector<LoopMatch>{{.field = "author.login", .one_of = {"ann"}}}));
  EXPECT_EQ(file->exclude, (std::vector<LoopMatch>{{.field = "a.b.c", .one_of = {"1", "true"}}}));
}

TEST(LoopFile, WrongTypesAndValuesAreRefusedWhereTheyStand) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"name = ''", "l.toml:4:1 bad-name"},
      {"output = 'json'", "l.toml:4:1 bad-value"},
      {"source_timeout = 0", "l.toml:4:1 bad-value"},
      {"source_max = 0", "l.toml:4:1 bad-value"},
      {"source_max = 'big'", "l.toml:4:1 bad-value"},
      {"id = ''", "l.toml:4:1 bad-value"},
      {"id = 'a..b'", "l.toml:4:1 bad-value"},
      {"id = 5", "l.toml:4:1 toml-type"},
      {"filter = 'x'", "l.toml:4:1 toml-type"},
      {"filter = { a = 1.5 }", "l.toml:4:12 toml-type"},
      {"filter = { a = ['x', 1.5] }", "l.toml:4:12 toml-type"},
      {"filter = { a = [] }", "l.toml:4:12 bad-value"},
      {"filter = { '' = 'x' }", "l.toml:4:12 bad-value"},
      {"exclude = { a = { '.b' = 'x' } }", "l.toml:4:19 bad-value"},
      {"priority = '.'", "l.toml:4:1 bad-value"},
      {"priority_order = ['a']", "l.toml:4:1 bad-loop"},
      {"priority = 'p'\npriority_order = ['a', 'b', 'a']", "l.toml:5:1 bad-value"},
      {"session = 'fix'", "l.toml:4:1 bad-value"},
      {"session = 'fix-{number'", "l.toml:4:1 bad-value"},
      {"session_profile = 'x'", "l.toml:4:1 bad-loop"},
      {"profile = 'x'\nsession_profile = 'y'", "l.toml:4:1 bad-loop"},
      {"timeout = 0", "l.toml:4:1 bad-value"},
      {"timeout = '-1s'", "l.toml:4:1 bad-value"},
      {"verify = []", "l.toml:4:1 toml-type"},
      {"verify = ['x', '{a b}']", "l.toml:4:1 bad-value"},
      {"on_success = 5", "l.toml:4:1 toml-type"},
      {"on_success = { verify = 'x' }", "l.toml:4:1 toml-missing"},
      {"on_success = { run = 'x {id}' }", "l.toml:4:16 bad-value"},
      {"on_failure = { run = 'x', timeout = 0 }", "l.toml:4:27 bad-value"},
      {"attempts = 0", "l.toml:4:1 bad-value"},
      {"attempts = -9223372036854775808", "l.toml:4:1 bad-value"},
      {"backoff = []", "l.toml:4:1 bad-value"},
      {"backoff = ['1m', true]", "l.toml:4:1 toml-type"},
      {"concurrency = 257", "l.toml:4:1 bad-value"},
      {"every = '0s'", "l.toml:4:1 bad-value"},
      {"chdir = '${NONE}'", "l.toml:4:1 unset-variable"},
      {"env = { 'A=B' = 'x' }", "l.toml:4:9 bad-value"},
      {"lock = ''", "l.toml:4:1 bad-value"},
      {"budget = { items = 0 }", "l.toml:4:12 bad-value"},
      {"budget = { time = 0 }", "l.toml:4:12 bad-value"},
      {"name = \"a\\u0000\"", "l.toml:4:1 toml-type"},
      {"filter = { a = 'x'", "l.toml:4:19 toml-syntax"},
  };
  for (const auto& [keys, says] : kWrong)
    EXPECT_EQ(loop_file_refusal(loop_file_with(keys)), says) << keys;
  EXPECT_EQ(loop_file_refusal(loop_file_with("name = '" + std::string(57, 'n') + "'")),
            "l.toml:4:1 bad-name");
  EXPECT_EQ(loop_file_refusal(loop_file_with("name = '" + std::string(56, 'n') + "'")), "none");
}

TEST(LoopFile, UnknownKeysAreRefusedWithTheNearest) {
  const std::pair<const char*, const char*> kMisspelt[] = {
      {"time_out = 1", "`timeout`"},
      {"on_sucess = 'x'", "`on_success`"},
      {"on_success = { run = 'x', verifx = 'y' }", "`verify`"},
      {"budget = { item = 5 }", "`items`"},
      {"verifyevery = 5", "`verify_every`"},
  };
  for (const auto& [keys, near] : kMisspelt) {
    EXPECT_TRUE(loop_file_refusal(loop_file_with(keys)).ends_with("toml-unknown-key")) << keys;
    EXPECT_NE(why(keys).find(near), std::string::npos) << why(keys);
  }
  EXPECT_EQ(loop_file_refusal(loop_file_read("[lop]\nsource = ['x']\n")),
            "l.toml:1:2 toml-unknown-key");
}

TEST(LoopFile, WhatMustBeThere) {
  EXPECT_EQ(loop_file_refusal(loop_file_read("")), "l.toml:1:1 toml-missing");
  EXPECT_EQ(loop_file_refusal(loop_file_read("[loop]\nrun = ['x']\n")), "l.toml:1:1 toml-missing");
  EXPECT_EQ(loop_file_refusal(loop_file_read("[loop]\nsource = ['x']\n")),
            "l.toml:1:1 toml-missing");
  EXPECT_EQ(loop_file_refusal(loop_file_read("[loop]\nsource = ['x']\nprofile = 'p'\n")),
            "l.toml:3:1 bad-loop");
}

// {title} of "; rm -rf ~" is why.
TEST(LoopFile, TextOfAnItemNeverBecomesShell) {
  EXPECT_EQ(loop_file_refusal(loop_file_with("notify = 'say {title}'")), "l.toml:4:1 bad-value");
  EXPECT_NE(why("notify = 'say {title}'").find("`{title}`"), std::string::npos);
  EXPECT_EQ(loop_file_refusal(loop_file_with("notify = ['sh', '-c', 'say {title}']")),
            "l.toml:4:1 bad-value");
  EXPECT_EQ(loop_file_refusal(loop_file_with("notify = ['/bin/bash', '-e', '-c', '{title}']")),
            "l.toml:4:1 bad-value");
  EXPECT_EQ(
      loop_file_refusal(loop_file_with("notify = ['sh', '-c', 'say \"$1\"', 'sh', '{title}']")),
      "none");
  EXPECT_EQ(loop_file_refusal(loop_file_with("notify = ['grep', '-c', '{title}']")), "none");
  EXPECT_EQ(loop_file_refusal(loop_file_with("notify = 'say \"${TITLE}\"'")), "none");
}

TEST(LoopFile, NulSeparatedItemsHaveOnlyAnId) {
  const std::string nul = "output = 'nul'\n";
  for (const char* keys : {"id = 'number'", "filter = { state = 'x' }", "exclude = { state = 'x' }",
                           "priority = 'prio'", "session = 'x-{number}'", "verify = ['{number}']",
                           "on_failure = { run = ['{number}'] }"}) {
    EXPECT_TRUE(loop_file_refusal(loop_file_with(nul + keys)).ends_with(" bad-loop")) << keys;
  }
  const auto file = loop_file_with(nul + "filter = { id = ['a', 'b'] }\nverify = ['x', '{id}']");
  ASSERT_TRUE(file) << loop_file_refusal(file);
  EXPECT_TRUE(file->source_is_nul);
}

TEST(LoopFile, TheNameComesFromTheFile) {
  const auto named = [](const char* path) {
    const auto file = parse_loop_file("[loop]\nsource='a'\nrun='b'\n", "l", {.path = path});
    return file ? file->name + " in " + file->directory : file.error().cause;
  };
  EXPECT_EQ(named("/x/y/night.toml"), "night in /x/y");
  EXPECT_EQ(named("/night"), "night in /");
  EXPECT_EQ(named("/x/.toml"), "bad-name");
}

// A write that was cut is refused, or is a loop that says less, never a crash.
TEST(LoopFile, CutAnywhereItIsRefusedOrAFileOfItsOwn) {
  const std::string whole = "[loop]\nsource = ['list']\nrun = ['agent', '{id}']\nattempts = 12\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto file = loop_file_read(whole.substr(0, length));
    if (file) continue;
    EXPECT_TRUE(file.error().subject.starts_with("l.toml:")) << length;
  }
}

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
  EXPECT_EQ(*words, (LoopFileWords{"say", "1", "x1"}));
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
