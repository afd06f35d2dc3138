// SPDX-License-Identifier: Apache-2.0
#include "format/text/expand.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

std::string expanded(std::string_view text) {
  const std::map<std::string, std::string> variables{
      {"HOME", "/home/me"}, {"EMPTY", ""}, {"X_1", "${HOME}~"}};
  const auto result = expand(text, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
  if (!result) {
    EXPECT_EQ(result.error().code, ErrorCode::kConfig);
  }
  return result ? *result : "error " + result.error().cause;
}

TEST(Expand, TildeAtTheBeginningIsHome) {
  EXPECT_EQ(expanded("~"), "/home/me");
  EXPECT_EQ(expanded("~/a/~"), "/home/me/a/~");
  EXPECT_EQ(expanded("~other/a"), "~other/a");
  EXPECT_EQ(expanded("a/~/b"), "a/~/b");
}

TEST(Expand, VariableInBracesIsItsValueAndNotExpandedAgain) {
  EXPECT_EQ(expanded("a${EMPTY}b${HOME}"), "ab/home/me");
  EXPECT_EQ(expanded("${X_1}"), "${HOME}~");
  EXPECT_EQ(expanded("$HOME $$ $ {HOME}$"), "$HOME $$ $ {HOME}$");
}

TEST(Expand, UnsetVariableIsAnErrorAndNeverEmpty) {
  EXPECT_EQ(expanded("${NONE}/cache"), "error unset-variable");
  const auto no_home = expand("~/a", [](const std::string&) { return std::nullopt; });
  ASSERT_FALSE(no_home);
  EXPECT_NE(no_home.error().detail.find("HOME"), std::string::npos);
}

TEST(Expand, MalformedBracesAreRefused) {
  EXPECT_EQ(expanded("${"), "error bad-expansion");
  EXPECT_EQ(expanded("${HOME"), "error bad-expansion");
  EXPECT_EQ(expanded("${}"), "error bad-expansion");
  EXPECT_EQ(expanded("${1A}"), "error bad-expansion");
  EXPECT_EQ(expanded("${HOME:-x}"), "error bad-expansion");
}

// `fix-<number>` for `fix-{number}`, or the cause.
std::string pieces(std::string_view text) {
  const auto split = split_placeholders(text);
  if (!split) {
    EXPECT_EQ(split.error().code, ErrorCode::kConfig);
    return split.error().cause;
  }
  std::string result;
  for (const TextPiece& piece : *split) {
    result += piece.is_field ? "<" + piece.text + ">" : piece.text;
  }
  return result;
}

TEST(Placeholder, FieldsAndBraces) {
  EXPECT_EQ(pieces(""), "");
  EXPECT_EQ(pieces("plain"), "plain");
  EXPECT_EQ(pieces("{number}"), "<number>");
  EXPECT_EQ(pieces("fix-{number}/{author.login}!"), "fix-<number>/<author.login>!");
  EXPECT_EQ(pieces("{a}{b}"), "<a><b>");
  EXPECT_EQ(pieces("{{a}}"), "{a}");
  EXPECT_EQ(pieces("{{{a}}}"), "{<a>}");
  EXPECT_EQ(pieces("${{HOME}}"), "${HOME}");
  EXPECT_EQ(pieces("{größe}"), "<größe>");
}

TEST(Placeholder, ABraceThatMeansNothingIsRefused) {
  for (const char* text : {"{", "}", "a}", "{}", "{a", "{ a}", "{a b}", "{a..b}", "{.a}", "{a.}",
                           "{a{b}}", "{print $1}", "{a}}", "{\n}"}) {
    EXPECT_EQ(pieces(text), "bad-placeholder") << text;
  }
}

TEST(Placeholder, InALineForAShellOnlyWhatLooksLikeOne) {
  EXPECT_EQ(find_shell_placeholder("./close {number}"), "{number}");
  EXPECT_EQ(find_shell_placeholder("{a.b}"), "{a.b}");
  EXPECT_EQ(find_shell_placeholder("x ${a} {b}"), "{b}");
  for (const char* line : {"echo ${HOME}", "{ echo; }", "cp x{a,b} y", "find . -exec rm {} +",
                           "docker ps --format '{{.ID}}'", "x {", "awk '{ print }'", ""}) {
    EXPECT_EQ(find_shell_placeholder(line), std::nullopt) << line;
  }
}

}  // namespace
}  // namespace holdfast
