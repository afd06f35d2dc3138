// SPDX-License-Identifier: Apache-2.0
#include "format/file/compose_binds.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

std::optional<std::string> lookup(const std::string& name) {
  static const std::map<std::string, std::string> kVariables{
      {"HOME", "/home/me"}, {"D", "/data"}, {"EMPTY", ""}, {"ODD", "a$b"}};
  const auto found = kVariables.find(name);
  if (found == kVariables.end()) return std::nullopt;
  return found->second;
}

using ComposeBindsLines = std::vector<std::string>;

// "SERVICE SOURCE TARGET LINE" for each, or one "error SUBJECT CAUSE".
ComposeBindsLines binds(std::string_view text) {
  const auto result = parse_compose_binds(text, "c.yml", "/base/dir", lookup);
  ComposeBindsLines lines;
  if (!result) {
    EXPECT_EQ(result.error().code, ErrorCode::kConfig);
    return {"error " + result.error().subject + " " + result.error().cause};
  }
  for (const BindMount& bind : *result) {
    lines.push_back(bind.service + " " + bind.source + " " + bind.target + " " +
                    std::to_string(bind.line));
  }
  return lines;
}

std::string volume(std::string_view entry) {
  return "services:\n  s:\n    volumes:\n      - " + std::string(entry) + "\n";
}

TEST(ComposeBinds, ShortFormIsABindWhereItBeginsWithAPath) {
  EXPECT_EQ(binds(volume("./a:/b")), ComposeBindsLines{"s /base/dir/a /b 4"});
  EXPECT_EQ(binds(volume("../a/:/b:ro")), ComposeBindsLines{"s /base/a /b 4"});
  EXPECT_EQ(binds(volume("/abs:/x:rw,z")), ComposeBindsLines{"s /abs /x 4"});
  EXPECT_EQ(binds(volume("~/x:/y")), ComposeBindsLines{"s /home/me/x /y 4"});
  EXPECT_EQ(binds(volume("'.:/y'")), ComposeBindsLines{"s /base/dir /y 4"});
  EXPECT_EQ(binds(volume("name:/y")), ComposeBindsLines{});
  EXPECT_EQ(binds(volume("/only/inside")), ComposeBindsLines{});
  EXPECT_EQ(binds(volume("a/b:/y")), ComposeBindsLines{"error c.yml:4 compose-shape"});
  EXPECT_EQ(binds(volume("~me/b:/y")), ComposeBindsLines{"error c.yml:4 compose-shape"});
  EXPECT_EQ(binds(volume("''")), ComposeBindsLines{"error c.yml:4 compose-shape"});
}

TEST(ComposeBinds, LongFormIsABindWhereItsTypeSaysSo) {
  EXPECT_EQ(binds(volume("{type: bind, source: ./a, target: /b}")),
            ComposeBindsLines{"s /base/dir/a /b 4"});
  EXPECT_EQ(binds(volume("{type: volume, source: ./a, target: /b}")), ComposeBindsLines{});
  EXPECT_EQ(binds(volume("{type: tmpfs, target: /b}")), ComposeBindsLines{});
  EXPECT_EQ(binds(volume("{source: ./a, target: /b}")),
            ComposeBindsLines{"error c.yml:4 compose-shape"});
  EXPECT_EQ(binds(volume("{type: bind, target: /b}")),
            ComposeBindsLines{"error c.yml:4 compose-shape"});
  EXPECT_EQ(binds(volume("{type: bind, source: [a], target: /b}")),
            ComposeBindsLines{"error c.yml:4 compose-shape"});
}

TEST(ComposeBinds, JsonIsReadToo) {
  EXPECT_EQ(binds(R"({"services": {"s": {"volumes": [
      {"type": "bind", "source": "/a \"b\"", "target": "/t", "bind": {"create_host_path": true}}]}}})"),
            ComposeBindsLines{"s /a \"b\" /t 2"});
}

TEST(ComposeBinds, AnchorsAliasesAndMergeKeysAreFollowed) {
  EXPECT_EQ(binds("x-base: &base\n  volumes: &v\n    - ./a:/a\n"
                  "services:\n"
                  "  one: {<<: *base}\n"
                  "  two: {volumes: *v}\n"
                  "  own: {<<: *base, volumes: [./b:/b]}\n"
                  "  list: {<<: [{image: x}, *base]}\n"),
            (ComposeBindsLines{"list /base/dir/a /a 3", "one /base/dir/a /a 3",
                               "own /base/dir/b /b 7", "two /base/dir/a /a 3"}));
}

TEST(ComposeBinds, WhatBringsInOtherFilesIsAnErrorAndNotPassedOver) {
  EXPECT_EQ(binds("include: [other.yml]\nservices: {}\n"),
            ComposeBindsLines{"error c.yml:1 compose-elsewhere"});
  EXPECT_EQ(binds("services:\n  s:\n    extends: {file: o.yml, service: t}\n"),
            ComposeBindsLines{"error c.yml:3 compose-elsewhere"});
  EXPECT_EQ(binds("services:\n  s: {extends: {service: t}}\n  t: {volumes: [./a:/a]}\n"),
            ComposeBindsLines{"t /base/dir/a /a 3"});
}

TEST(ComposeBinds, VariablesAreReplacedBeforeTheFormIsRead) {
  EXPECT_EQ(binds(volume("${D}/x:/y")), ComposeBindsLines{"s /data/x /y 4"});
  EXPECT_EQ(binds(volume("\"${NONE:-./d}:/y\"")), ComposeBindsLines{"s /base/dir/d /y 4"});
  EXPECT_EQ(binds(volume("${NONE}/x:/y")), ComposeBindsLines{"error c.yml:4 unset-variable"});
  EXPECT_EQ(binds(volume("./${ODD}:/y")), ComposeBindsLines{"s /base/dir/a$b /y 4"});
}

TEST(ComposeBinds, OtherShapesAreErrors) {
  EXPECT_EQ(binds(""), ComposeBindsLines{"error c.yml:1 yaml-syntax"});
  EXPECT_EQ(binds("a"), ComposeBindsLines{"error c.yml:1 compose-shape"});
  EXPECT_EQ(binds("volumes: {}\n"), ComposeBindsLines{"error c.yml:1 compose-shape"});
  EXPECT_EQ(binds("services: []\n"), ComposeBindsLines{"error c.yml:1 compose-shape"});
  EXPECT_EQ(binds("services: {s: 1}\n"), ComposeBindsLines{"error c.yml:1 compose-shape"});
  EXPECT_EQ(binds("services:\n  s: {volumes: {}}\n"),
            ComposeBindsLines{"error c.yml:2 compose-shape"});
  EXPECT_EQ(binds("services:\n  s: {}\n  s: {}\n"),
            ComposeBindsLines{"error c.yml:3 compose-shape"});
  EXPECT_EQ(binds("services:\n  s: [\n"), ComposeBindsLines{"error c.yml:3 yaml-syntax"});
  EXPECT_EQ(binds("services: {}\n---\nservices: {}\n"),
            ComposeBindsLines{"error c.yml:2 yaml-syntax"});
  EXPECT_EQ(binds("services: {s: {volumes: null}, t: {volumes: }}\n"), ComposeBindsLines{});
}

TEST(ComposeBinds, AliasesCannotMakeItExplode) {
  std::string text = "x0: &x0 {k: v}\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*x" + std::to_string(i - 1);
    text += "x" + std::to_string(i) + ": &x" + std::to_string(i) + " {<<: [" + before + ", " +
            before + ", " + before + ", " + before + "]}\n";
  }
  text += "services: {s: *x29}\n";
  EXPECT_TRUE(binds(text).front().ends_with(" compose-too-large"));
  EXPECT_EQ(binds("services: &s {<<: *s}\n"), ComposeBindsLines{"error c.yml:1 yaml-syntax"});
}

TEST(ComposeBinds, DeepNestingIsRefusedAndNotAStackOverflow) {
  EXPECT_EQ(binds("a: " + std::string(1'000'000, '[')),
            ComposeBindsLines{"error c.yml:1 yaml-syntax"});
  EXPECT_EQ(binds("a: " + std::string(1'000'000, '{')),
            ComposeBindsLines{"error c.yml:1 yaml-syntax"});
  std::string block;
  for (int i = 0; i < 300'000; ++i) block += "- ";
  EXPECT_EQ(binds(block), ComposeBindsLines{"error c.yml:1 yaml-syntax"});
}

TEST(ComposeBinds, CutAtEveryByteItIsReadOrRefused) {
  const std::string text =
      "services:\n  s: {volumes: [\"./a:/b\", {type: bind, source: a, target: b}]}\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    EXPECT_LE(binds(std::string_view(text).substr(0, length)).size(), 2U);
  }
}

std::string replaced(std::string_view text) {
  const auto result = expand_compose(text, lookup);
  return result ? *result : "error " + result.error().cause;
}

TEST(ComposeVariables, EveryFormIsReplaced) {
  EXPECT_EQ(replaced("$D ${D} $$D a$${D}"), "/data /data $D a${D}");
  EXPECT_EQ(replaced("${NONE:-d} ${NONE-d} ${EMPTY:-d} [${EMPTY-d}] ${D:-d}"), "d d d [] /data");
  EXPECT_EQ(replaced("[${NONE:+x}][${NONE+x}][${EMPTY:+x}][${EMPTY+x}][${D:+x}]"), "[][][][x][x]");
  EXPECT_EQ(replaced("${D:?e}${D?e}[${EMPTY?e}]"), "/data/data[]");
  EXPECT_EQ(replaced("${NONE:-${ALSO:-$D}/x}"), "/data/x");
}

TEST(ComposeVariables, UnsetWithoutDefaultIsAnErrorAndNeverEmpty) {
  for (const std::string_view text :
       {"$NONE", "${NONE}", "${NONE:?}", "${NONE?e}", "${EMPTY:?e}", "${NONE:-$ALSO}"}) {
    EXPECT_EQ(replaced(text), "error unset-variable") << text;
  }
  const auto result = expand_compose("${NONE:?say why}", lookup);
  EXPECT_NE(result.error().detail.find("say why"), std::string::npos);
}

TEST(ComposeVariables, MalformedOnesAreRefused) {
  for (const std::string_view text :
       {"$", "a$", "${", "${}", "${D", "${D!x}", "${D:x}", "${D:", "$1", "${1}", "$-"}) {
    EXPECT_EQ(replaced(text), "error bad-expansion") << text;
  }
  std::string deep = "x";
  for (int i = 0; i < 100; ++i) deep = "${NONE:-" + deep + "}";
  EXPECT_EQ(replaced(deep), "error bad-expansion");
}

}  // namespace
}  // namespace holdfast
