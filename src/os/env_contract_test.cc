// SPDX-License-Identifier: Apache-2.0
//
// Read only as os is, it is tested on what every environment has: the search path, by whatever case
// the platform spells it, and a name that none has.
#include "os/env.h"

#include <gtest/gtest.h>

#include "base/printable.h"

namespace holdfast::os {
namespace {

TEST(EnvContract, ASetVariableHasItsValueAsText) {
  const auto path = env("PATH");
  ASSERT_TRUE(path);
  EXPECT_FALSE(path->empty());
  EXPECT_TRUE(is_utf8(*path));
}

TEST(EnvContract, AnUnsetVariableIsNothing) { EXPECT_FALSE(env("HOLDFAST_TEST_NOBODY_SETS_THIS")); }

}  // namespace
}  // namespace holdfast::os
