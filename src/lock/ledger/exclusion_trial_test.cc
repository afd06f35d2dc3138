// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/exclusion_trial.h"

#include "lock/grant/lock_fixture.h"

namespace holdfast::lock {
namespace {

class ExclusionTrial : public LockFixture {};

TEST_F(ExclusionTrial, ALocalFileSystemPassesAndKeepsNothing) {
  EXPECT_TRUE(try_exclusion(place()));
  EXPECT_TRUE(tmp_.dir().each_entry([](std::string_view name, os::FileType) {
    ADD_FAILURE() << "left behind: " << name;
    return os::Visit::kContinue;
  }));
}

}  // namespace
}  // namespace holdfast::lock
