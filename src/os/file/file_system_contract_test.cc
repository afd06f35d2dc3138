// SPDX-License-Identifier: Apache-2.0
#include "os/file/file_system.h"

#include <gtest/gtest.h>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(FileSystemContract, ItHasANameInLowerCaseAndSomeRoom) {
  const holdfast::testing::TempDir temp;
  const auto found = file_system_of(temp.dir());
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->name.empty());
  EXPECT_EQ(found->name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos);
  ASSERT_TRUE(found->free_bytes);
  EXPECT_GT(*found->free_bytes, 0U);
}

}  // namespace
}  // namespace holdfast::os
