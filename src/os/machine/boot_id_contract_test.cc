// SPDX-License-Identifier: Apache-2.0
#include "os/machine/boot_id.h"

#include <gtest/gtest.h>

namespace holdfast::os {
namespace {

TEST(BootIdContract, ItIsTheSameEachTime) {
  const auto first = boot_id();
  ASSERT_TRUE(first);
  EXPECT_EQ(boot_id().value(), *first);
}

TEST(BootIdContract, TheMachineHasANameWithoutStrangeBytes) {
  const std::string name = host_name();
  EXPECT_FALSE(name.empty());
  EXPECT_EQ(name.find('\0'), std::string::npos);
  EXPECT_EQ(host_name(), name);
}

}  // namespace
}  // namespace holdfast::os
