// SPDX-License-Identifier: Apache-2.0
//
// Where no link can be made (Wine; Windows without the right to), it is said and nothing is left.
#include "os/dir/make_link.h"

#include <gtest/gtest.h>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(MakeLinkContract, ItIsMadeWithItsTextOrSaidNotToBe) {
  const testing::TempDir tmp;
  ASSERT_EQ(tmp.dir().make_dir("dir"_name, 0700).value(), Made::kMade);
  const auto made = make_link(tmp.dir(), "link"_name, "dir");
  if (!made) {
    EXPECT_TRUE(made.error().cause == "unsupported" || made.error().cause == "eperm")
        << made.error().cause;
    EXPECT_FALSE(tmp.dir().info("link"_name).value());
    GTEST_SKIP() << "no links here";
  }
  EXPECT_EQ(*made, Placed::kPlaced);
  EXPECT_EQ(tmp.dir().read_link("link"_name).value(), "dir");
}

TEST(MakeLinkContract, ATakenNameStaysWithWhoHasIt) {
  const testing::TempDir tmp;
  ASSERT_EQ(tmp.dir().make_dir("taken"_name, 0700).value(), Made::kMade);
  EXPECT_EQ(make_link(tmp.dir(), "taken"_name, "elsewhere").value(), Placed::kNameTaken);
  EXPECT_EQ(tmp.dir().info("taken"_name).value()->type, FileType::kDirectory);
}

TEST(MakeLinkContract, ATargetWithANulByteIsRefused) {
  const testing::TempDir tmp;
  const auto made = make_link(tmp.dir(), "link"_name, std::string("a\0b", 3));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().cause, "unsafe-name");
}

}  // namespace
}  // namespace holdfast::os
