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

}  // namespace
}  // namespace holdfast
