// SPDX-License-Identifier: Apache-2.0
#include "os/path/stored_name.h"

#include <gtest/gtest.h>

#include "testing/links.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

SafeName stored_name_contract_name_of(std::string_view text) {
  return SafeName::make(text).value();
}

TEST(StoredNameContract, AFileHasTheNameThatItsDirectoryHas) {
  const testing::TempDir tmp;
  ASSERT_TRUE(tmp.dir().create_file(stored_name_contract_name_of("Data"), 0600).value());
  EXPECT_EQ(stored_name(tmp.dir(), stored_name_contract_name_of("Data")).value().str(), "Data");
  const bool is_one_file = tmp.dir().info(stored_name_contract_name_of("dATA")).value().has_value();
  EXPECT_EQ(stored_name(tmp.dir(), stored_name_contract_name_of("dATA")).value().str(),
            is_one_file ? "Data" : "dATA");
}

TEST(StoredNameContract, ANameThatNobodyHasIsAsItWasTyped) {
  const testing::TempDir tmp;
  EXPECT_EQ(stored_name(tmp.dir(), stored_name_contract_name_of("New")).value().str(), "New");
}

TEST(StoredNameContract, ALinkHasItsOwnName) {
  const testing::TempDir tmp;
  ASSERT_EQ(tmp.dir().make_dir("target"_name, 0700).value(), Made::kMade);
  if (!testing::make_dir_link(tmp.path("target"), tmp.path("link"))) GTEST_SKIP() << "no links";
  EXPECT_EQ(stored_name(tmp.dir(), "link"_name).value().str(), "link");
}

}  // namespace
}  // namespace holdfast::os
