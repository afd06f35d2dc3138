// SPDX-License-Identifier: Apache-2.0
#include "journal/read/filter.h"

#include <gtest/gtest.h>

namespace holdfast::journal {
namespace {

TEST(Filter, GlobsMatchAsShellsDo) {
  EXPECT_TRUE(glob_match("lock.*", "lock.fail_open"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("*.fail_*n", "lock.fail_open"));
  EXPECT_TRUE(glob_match("l?ck.busy", "lock.busy"));
  EXPECT_TRUE(glob_match("a*b*c", "axxbyybzzc"));
  EXPECT_FALSE(glob_match("lock", "lock.busy"));
  EXPECT_FALSE(glob_match("lock.*", "block.changed"));
  EXPECT_FALSE(glob_match("?", ""));
  EXPECT_FALSE(glob_match("a*b", "axc"));
}

TEST(Filter, ALongGlobEndsSoon) {
  EXPECT_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(Filter, PathsAreReadAndSpelled) {
  for (const char* text : {"type", "class", "writer", "boot", "seq", "data.lock", "data.a.0.b"}) {
    const auto path = parse_field_path(text);
    ASSERT_TRUE(path) << text;
    EXPECT_EQ(to_text(*path), text);
  }
  for (const char* text : {"", "data", "data.", "data..a", "data.a.", "Type", "lock", ".type"}) {
    const auto path = parse_field_path(text);
    ASSERT_FALSE(path) << text;
    EXPECT_EQ(path.error().code, ErrorCode::kUsage);
  }
}

TEST(Filter, ConditionsAreCutAtTheFirstEqualSign) {
  const auto where = parse_where("data.url=a=b!=c");
  ASSERT_TRUE(where);
  EXPECT_EQ(where->value, "a=b!=c");
  EXPECT_EQ(where->test, Where::Test::kEqual);
  const auto negated = parse_where("class!=trace");
  ASSERT_TRUE(negated);
  EXPECT_EQ(negated->test, Where::Test::kNotEqual);
  EXPECT_EQ(negated->path.root, FieldPath::Root::kClass);
  EXPECT_EQ(parse_where("data.x=")->value, "");
  for (const char* text : {"", "data.x", "=v", "!=v", "x=1"}) {
    ASSERT_FALSE(parse_where(text)) << text;
    EXPECT_EQ(parse_where(text).error().code, ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace holdfast::journal
