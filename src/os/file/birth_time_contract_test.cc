// SPDX-License-Identifier: Apache-2.0
#include "os/file/birth_time.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

// Where it is told at all, neither new entries nor a rename change it.
TEST(BirthTimeContract, ItStays) {
  const testing::TempDir tmp;
  std::filesystem::create_directory(tmp.path("a"));
  std::int64_t before = 0;
  {
    const Dir dir = *tmp.dir().open_dir("a"_name);
    before = *birth_time_of(dir);
    EXPECT_GE(before, 0);
  }
  std::ofstream(tmp.path("a/file")) << "x";
  ASSERT_EQ(*tmp.dir().rename_new("a"_name, "b"_name), Placed::kPlaced);
  EXPECT_EQ(*birth_time_of(*tmp.dir().open_dir("b"_name)), before);
}

}  // namespace
}  // namespace holdfast::os
