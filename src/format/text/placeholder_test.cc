// SPDX-License-Identifier: Apache-2.0
#include "format/text/placeholder.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

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
