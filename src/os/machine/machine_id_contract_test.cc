// SPDX-License-Identifier: Apache-2.0
#include "os/machine/machine_id.h"

#include <gtest/gtest.h>

#include "os/machine/boot_id.h"

namespace holdfast::os {
namespace {

TEST(MachineIdContract, ItIsTheSameEachTimeAndIsNotTheBoot) {
  const auto id = machine_id();
  ASSERT_TRUE(id);
  EXPECT_EQ(machine_id().value(), *id);
  EXPECT_TRUE(*id == Id128{} || *id != boot_id().value());
}

}  // namespace
}  // namespace holdfast::os
