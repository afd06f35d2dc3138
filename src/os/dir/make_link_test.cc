// SPDX-License-Identifier: Apache-2.0
#include "os/dir/make_link.h"

#include <gtest/gtest.h>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(MakeLink, HoldsItsTargetAsWrittenAndNeverReplaces) {
  const testing::TempDir tmp;
  EXPECT_EQ(*make_link(tmp.dir(), "a"_name, "no/such\nplace"), Placed::kPlaced);
  EXPECT_EQ(*tmp.dir().read_link("a"_name), "no/such\nplace");
  EXPECT_EQ(*make_link(tmp.dir(), "a"_name, "other"), Placed::kNameTaken);
  EXPECT_EQ(*tmp.dir().read_link("a"_name), "no/such\nplace");
}

TEST(MakeLink, ATargetWithANulByteIsRefusedAndNotCut) {
  const testing::TempDir tmp;
  const auto made = make_link(tmp.dir(), "a"_name, std::string("x\0y", 3));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().cause, "unsafe-name");
  EXPECT_FALSE(*tmp.dir().info("a"_name));
}

}  // namespace
}  // namespace holdfast::os
