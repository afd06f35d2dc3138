// SPDX-License-Identifier: Apache-2.0
#include "lock/self_test.h"

#include "lock/lock_fixture.h"

namespace holdfast::lock {
namespace {

class SelfTest : public LockFixture {};

TEST_F(SelfTest, ALocalFileSystemPassesAndKeepsNothing) {
  EXPECT_TRUE(self_test(place()));
  EXPECT_TRUE(tmp_.dir().each_entry([](std::string_view name, os::FileType) {
    ADD_FAILURE() << "left behind: " << name;
    return os::Visit::kContinue;
  }));
}

}  // namespace
}  // namespace holdfast::lock
