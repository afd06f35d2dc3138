// SPDX-License-Identifier: Apache-2.0
#include "os/path/absolute.h"

#include <gtest/gtest.h>

#include "base/path_text.h"
#include "os/path/working_dir.h"

namespace holdfast::os {
namespace {

TEST(AbsoluteContract, ARelativePathStartsAtTheWorkingDirectory) {
  EXPECT_EQ(*absolute_from_here("a"), join_path(*working_dir(), "a"));
}

TEST(AbsoluteContract, AnAbsolutePathIsNoOther) {
  const std::string here = *working_dir();
  EXPECT_TRUE(is_absolute_path(here));
  EXPECT_EQ(*absolute_from_here(here), here);
  EXPECT_TRUE(is_absolute_path(*absolute_from_here("/a")));
}

}  // namespace
}  // namespace holdfast::os
