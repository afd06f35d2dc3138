// SPDX-License-Identifier: Apache-2.0
#include "format/text/toml.h"
#include "base/path_text.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using TomlWords = std::vector<std::string>;

TomlTable toml_parsed(std::string_view text) {
  auto table = parse_toml(text, "t.toml");
  EXPECT_TRUE(table) << to_sentence(table.error());
  return table ? *std::move(table) : TomlTable{};
}

// "SUBJECT CAUSE", so that a test says both in one line.
template <typename T>
std::string toml_refusal(const Result<T>& result) {
  if (result) return "none";
  EXPECT_EQ(result.error().code, ErrorCode::kConfig);
  return result.error().subject + " " + result.error().cause;
}

TEST(Toml, SyntaxErrorNamesLineAndColumn) {
  EXPECT_EQ(toml_refusal(parse_toml("a = 1\nb = \n", "t.toml")), "t.toml:2:5 toml-syntax");
  EXPECT_EQ(toml_refusal(parse_toml("a = 1\na = 2\n", "t.toml")), "t.toml:2:5 toml-syntax");
  EXPECT_EQ(toml_refusal(parse_toml("a = \"\xff\"\n", "t.toml")), "t.toml:1:5 toml-syntax");
  EXPECT_EQ(toml_refusal(parse_toml("\n\na = \"open", "t.toml")), "t.toml:3:10 toml-syntax");
}

TEST(Toml, KeysKeepTheOrderOfTheText) {
  const TomlTable table = toml_parsed("zeta = 1\nalpha = 2\n[mid]\nx.b = 1\nx.a = 2\n[[beta]]\n");
  TomlWords keys;
  for (const auto& [key, value] : table.entries) keys.push_back(key);
  EXPECT_EQ(keys, (TomlWords{"zeta", "alpha", "mid", "beta"}));
  EXPECT_EQ(table.find("mid")->line, 3);
}

TEST(Toml, EveryTypeIsReadWithItsValue) {
  TomlTable table = toml_parsed(
      "s = 'x'\ni = -7\nf = 1.5\nb = true\nd = 1979-05-27\nm = 1979-05-27 07:32:00.25-01:30\n"
      "z = 1979-05-27T07:32:00Z\nt = 07:32:00\na = [1, 'two']\n");
  EXPECT_EQ(std::get<std::string>(table.find("s")->value), "x");
  EXPECT_EQ(std::get<std::int64_t>(table.find("i")->value), -7);
  EXPECT_EQ(std::get<double>(table.find("f")->value), 1.5);
  EXPECT_EQ(std::get<bool>(table.find("b")->value), true);
  EXPECT_EQ(std::get<TomlDate>(table.find("d")->value).text, "1979-05-27");
  EXPECT_EQ(std::get<TomlDate>(table.find("m")->value).text, "1979-05-27T07:32:00.25-01:30");
  EXPECT_EQ(std::get<TomlDate>(table.find("z")->value).text, "1979-05-27T07:32:00Z");
  EXPECT_EQ(std::get<TomlDate>(table.find("t")->value).text, "07:32:00");
  EXPECT_EQ(std::get<TomlArray>(table.find("a")->value).size(), 2U);
}

TEST(Toml, ReaderRefusesAnotherTypeAndNamesThePlace) {
  const TomlTable table = toml_parsed("s = 1\n\ni = '1'\nb = 0\na = 'x'\nm = ['x', 1]\nt = {}\n");
  TomlReader reader(table, "t.toml");
  EXPECT_EQ(toml_refusal(reader.text("s")), "t.toml:1:1 toml-type");
  EXPECT_EQ(toml_refusal(reader.integer("i")), "t.toml:3:1 toml-type");
  EXPECT_EQ(toml_refusal(reader.flag("b")), "t.toml:4:1 toml-type");
  EXPECT_EQ(toml_refusal(reader.texts("a")), "t.toml:5:1 toml-type");
  EXPECT_EQ(toml_refusal(reader.texts("m")), "t.toml:6:1 toml-type");
  EXPECT_EQ(toml_refusal(reader.tables("t")), "t.toml:7:1 toml-type");
  EXPECT_EQ(toml_refusal(reader.command("b")), "t.toml:4:1 toml-type");
  EXPECT_EQ(toml_refusal(reader.required_text("none")), "t.toml:1:1 toml-missing");
}

TEST(Toml, EverythingKnowsItsColumn) {
  const TomlTable table = toml_parsed("a = 1\n  b = { c = 'x',  d = 2 }\n");
  EXPECT_EQ(table.column, 1);
  EXPECT_EQ(table.find("b")->column, 3);
  const auto& inner = std::get<TomlTable>(table.find("b")->value);
  EXPECT_EQ(inner.line, 2);
  EXPECT_EQ(inner.column, 7);
  TomlReader reader(inner, "t.toml");
  EXPECT_EQ(toml_refusal(reader.integer("c")), "t.toml:2:9 toml-type");
  EXPECT_EQ(toml_refusal(reader.required_text("none")), "t.toml:2:7 toml-missing");
  EXPECT_EQ(toml_refusal(reader.finish()), "t.toml:2:19 toml-unknown-key");
}

TEST(Toml, ReaderAnswersNulloptForAnAbsentKey) {
  const TomlTable table = toml_parsed("");
  TomlReader reader(table, "t.toml");
  EXPECT_EQ(*reader.text("s"), std::nullopt);
  EXPECT_EQ(*reader.integer("i"), std::nullopt);
  EXPECT_EQ(*reader.flag("b"), std::nullopt);
  EXPECT_EQ(*reader.texts("a"), std::nullopt);
  EXPECT_EQ(*reader.command("c"), std::nullopt);
  EXPECT_TRUE(reader.tables("t")->empty());
  EXPECT_TRUE(reader.finish());
}

TEST(Toml, UnknownKeyIsRefusedWithTheNearestKnownOne) {
  const TomlTable table = toml_parsed("[[layer]]\nname = 'x'\ntimeuot = '5s'\n");
  TomlReader top(table, "t.toml");
  const auto layers = top.tables("layer");
  ASSERT_TRUE(layers);
  ASSERT_EQ(layers->size(), 1U);
  TomlReader layer(*layers->front(), "t.toml");
  EXPECT_EQ(*layer.text("name"), "x");
  EXPECT_EQ(*layer.text("timeout"), std::nullopt);
  EXPECT_EQ(layer.line(), 1);
  const auto finish = layer.finish();
  EXPECT_EQ(toml_refusal(finish), "t.toml:3:1 toml-unknown-key");
  EXPECT_NE(finish.error().detail.find("`timeout`"), std::string::npos);
  EXPECT_TRUE(top.finish());
}

TEST(Toml, CommandIsALineForTheShellOrAnArrayOfWords) {
  const TomlTable table =
      toml_parsed("line = 'a | b'\nwords = ['a', '| b']\nno = []\nempty = ''\n");
  TomlReader reader(table, "t.toml");
  EXPECT_EQ(*reader.command("line"), shell_words("a | b"));
  EXPECT_EQ(*reader.command("words"), (TomlWords{"a", "| b"}));
  EXPECT_EQ(toml_refusal(reader.command("no")), "t.toml:3:1 toml-type");
  EXPECT_EQ(toml_refusal(reader.command("empty")), "t.toml:4:1 toml-type");
}

TEST(Toml, NulByteInAStringIsRefused) {
  const TomlTable table = toml_parsed("s = \"a\\u0000b\"\na = [\"a\\u0000b\"]\n");
  TomlReader reader(table, "t.toml");
  EXPECT_EQ(toml_refusal(reader.text("s")), "t.toml:1:1 toml-type");
  EXPECT_EQ(toml_refusal(reader.texts("a")), "t.toml:2:1 toml-type");
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += part;
  return result;
}

TEST(Toml, DeepNestingIsRefusedAndNotAStackOverflow) {
  constexpr std::size_t kMany = 1'000'000;
  EXPECT_EQ(toml_refusal(parse_toml("\na = " + repeated("[", kMany), "t")), "t:2:37 toml-syntax");
  EXPECT_EQ(toml_refusal(parse_toml("a = " + repeated("{a=", kMany), "t")), "t:1:101 toml-syntax");
  EXPECT_EQ(toml_refusal(parse_toml("\n" + repeated("a.", kMany) + "a = 1", "t")),
            "t:2:64 toml-syntax");
  EXPECT_EQ(toml_refusal(parse_toml("[" + repeated("a . ", kMany) + "a]", "t")),
            "t:1:128 toml-syntax");
  EXPECT_EQ(toml_refusal(parse_toml("[[" + repeated("\"a\".", kMany) + "a]]", "t")),
            "t:1:130 toml-syntax");
}

TEST(Toml, DeepestAllowedNestingIsRead) {
  const std::string parts = repeated("a.", 31) + "a";
  EXPECT_EQ(toml_refusal(parse_toml(
                "[" + parts + "]\n" + parts + " = " + repeated("[", 32) + repeated("]", 32), "t")),
            "none");
  std::string inline_tables = "1";
  for (int i = 0; i < 30; ++i) inline_tables = "{" + parts + "=" + inline_tables + "}";
  EXPECT_EQ(toml_refusal(parse_toml("[" + parts + "]\na = " + inline_tables, "t")), "none");
}

TEST(Toml, DotsInStringsAndCommentsAreNoKeyParts) {
  const std::string dots = repeated(".", 100);
  const std::string text = "a = '" + dots + "' # " + dots + "\nb = \"\\\"" + dots +
                           "\"\nc = '''\n'" + dots + "'''''\nd = \"\"\"\"\\\"\"\"" + dots +
                           "\"\"\"\"\n";
  EXPECT_EQ(toml_refusal(parse_toml(text, "t")), "none");
}

TEST(Toml, MoreThanTheLimitIsRefused) {
  EXPECT_EQ(toml_refusal(parse_toml(std::string(kMaxTomlBytes + 1, '\n'), "t")), "t too-large");
}

TEST(Toml, CutAtEveryByteItIsReadOrRefusedByLine) {
  const std::string text = "a = 'x'\n[b]\nc = [1, 2]\n[[d]]\ne = \"\"\"\nf\"\"\"\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const auto table = parse_toml(std::string_view(text).substr(0, length), "t");
    if (!table) {
      EXPECT_EQ(table.error().cause, "toml-syntax") << length;
    }
  }
}

}  // namespace
}  // namespace holdfast
