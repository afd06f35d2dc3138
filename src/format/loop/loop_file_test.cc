// SPDX-License-Identifier: Apache-2.0
#include "format/loop/loop_file.h"
#include "base/path_text.h"

#include <gtest/gtest.h>

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
lock = ["repo", "disk"]
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
      .locks = {"repo", "disk"},
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

}  // namespace
}  // namespace holdfast
