// SPDX-License-Identifier: Apache-2.0
#include "gc/pattern.h"

#include <gtest/gtest.h>

namespace holdfast::gc {
namespace {

TEST(Pattern, TheStarIsWhatStandsInItsPlace) {
  EXPECT_EQ(match(".claude-container-*", ".claude-container-ab12"), "ab12");
  EXPECT_EQ(match("*-x", "a-x-x"), "a-x");
  EXPECT_EQ(match("a*b*", "axbxb"), "x");
  EXPECT_EQ(match("plain", "plain"), "plain");
  EXPECT_EQ(match("*", ""), "");
  EXPECT_EQ(match("s-????", "s-ab12"), "s-ab12");
}

TEST(Pattern, NoMatchIsNone) {
  EXPECT_FALSE(match("a*", "b"));
  EXPECT_FALSE(match("a?", "a"));
  EXPECT_FALSE(match("plain", "plainer"));
  EXPECT_FALSE(match("[ab]", "a"));
}

TEST(Pattern, ALongOneDoesNotTakeForEver) {
  std::string pattern;
  for (int i = 0; i < 64; ++i) pattern += "*a";
  EXPECT_FALSE(match(pattern + "b", std::string(255, 'a')));
}

TEST(Pattern, TemplatesAreExpandedOnce) {
  EXPECT_EQ(expand("podman:drydock-{*}", "dir-ab12", "ab12"), "podman:drydock-ab12");
  EXPECT_EQ(expand("{name}/{*}", "{*}", "s"), "{*}/s");
}

TEST(Pattern, WhatIsNoPlaceholderIsFound) {
  EXPECT_EQ(unknown_placeholder("podman:job-{*}-{name}"), "");
  EXPECT_EQ(unknown_placeholder("podman:plain}"), "");
  EXPECT_EQ(unknown_placeholder("podman:{name}-{title}"), "{title}");
  EXPECT_EQ(unknown_placeholder("podman:{}"), "{}");
  EXPECT_EQ(unknown_placeholder("podman:{name"), "{name");
}

}  // namespace
}  // namespace holdfast::gc
