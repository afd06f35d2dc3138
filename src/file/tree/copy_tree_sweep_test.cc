// SPDX-License-Identifier: Apache-2.0
#include "file/tree/copy_tree_fixture.h"
#include "testing/fault_sweep.h"

namespace holdfast::file {
namespace {

using CopyTreeSweep = CopyTreeFixture;

TEST_F(CopyTreeSweep, EveryFailingCallLeavesNothingOrTheWhole) {
  const std::size_t runs = testing::fault_sweep({
      .prepare =
          [&] {
            clear();
            make_tree();
          },
      .body = [&] { return copy(os::Durability::kFull).has_value(); },
      .check =
          [&](const testing::SweepCase& fault, bool succeeded) {
            // Where the removal fails as well, something is left.
            if (!succeeded && !(fault.for_good && fault.call != "fsync")) {
              EXPECT_TRUE(fs::is_empty(at("to"))) << fault.description;
            }
            if (!succeeded) return;
            EXPECT_EQ(content("to/dir/deep/script"), "#!");
            EXPECT_EQ(mode("to/secret"), 0600U);
            EXPECT_EQ(mode("to/dir/deep"), 0555U);
          },
  });
  EXPECT_GT(runs, 100U);
  clear();
}

}  // namespace
}  // namespace holdfast::file
