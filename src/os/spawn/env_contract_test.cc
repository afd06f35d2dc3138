// SPDX-License-Identifier: Apache-2.0
//
// Tested on what every environment has, the search path, by whatever case the platform spells it,
// and on names that none has.
#include "os/spawn/env.h"

#include <gtest/gtest.h>

#include "base/printable.h"
#include "testing/set_env.h"

namespace holdfast::os {
namespace {

TEST(EnvContract, ASetVariableHasItsValueAsText) {
  const auto path = env("PATH");
  ASSERT_TRUE(path);
  EXPECT_FALSE(path->empty());
  EXPECT_TRUE(is_utf8(*path));
}

TEST(EnvContract, AnEmptyVariableIsSet) {
  const char* const name = "HOLDFAST_TEST_EMPTY";
  EXPECT_FALSE(env(name));
  {
    const testing::ScopedEnv empty(name, "");
    EXPECT_EQ(env(name), "");
  }
  EXPECT_FALSE(env(name));
  const testing::ScopedEnv large(name, std::string(1000, 'x'));
  EXPECT_EQ(env(name), std::string(1000, 'x'));
}

TEST(EnvContract, AnUnsetVariableIsNothing) { EXPECT_FALSE(env("HOLDFAST_TEST_NOBODY_SETS_THIS")); }

}  // namespace
}  // namespace holdfast::os
