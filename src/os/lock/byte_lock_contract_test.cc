// SPDX-License-Identifier: Apache-2.0
#include "os/lock/byte_lock.h"

#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "os/spawn/env.h"
#include "testing/programs.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kFar = std::uint64_t{1} << 41U;
constexpr const char* kDirectory = "HF_TEST_DIR";

File byte_lock_contract_open_in(const Dir& dir) {
  auto made = dir.create_file("locked"_name, 0600);
  if (made && *made) return std::move(**made);
  return std::move(dir.open_file("locked"_name, Access::kReadWrite).value().value());
}

class ByteLockContract : public ::testing::Test {
 protected:
  testing::TempDir tmp_;
  File one_ = byte_lock_contract_open_in(tmp_.dir());
  File other_ = byte_lock_contract_open_in(tmp_.dir());
};

TEST_F(ByteLockContract, TwoHandlesNeverBothHaveAByte) {
  EXPECT_TRUE(try_lock_byte(one_, kFar, Share::kExclusive).value());
  EXPECT_FALSE(try_lock_byte(other_, kFar, Share::kExclusive).value());
  EXPECT_FALSE(try_lock_byte(other_, kFar, Share::kShared).value());
  EXPECT_TRUE(try_lock_byte(other_, kFar + 1, Share::kExclusive).value());
  ASSERT_TRUE(unlock_byte(one_, kFar));
  EXPECT_TRUE(try_lock_byte(other_, kFar, Share::kExclusive).value());
}

TEST_F(ByteLockContract, AskingForWhatOneHasSaysYesAndCountsOnce) {
  EXPECT_TRUE(try_lock_byte(one_, kFar, Share::kExclusive).value());
  EXPECT_TRUE(try_lock_byte(one_, kFar, Share::kExclusive).value());
  ASSERT_TRUE(unlock_byte(one_, kFar));
  EXPECT_TRUE(try_lock_byte(other_, kFar, Share::kExclusive).value());
}

TEST_F(ByteLockContract, SharedIsForManyAndAgainstOne) {
  EXPECT_TRUE(try_lock_byte(one_, kFar, Share::kShared).value());
  EXPECT_TRUE(try_lock_byte(other_, kFar, Share::kShared).value());
  const File third = byte_lock_contract_open_in(tmp_.dir());
  EXPECT_FALSE(try_lock_byte(third, kFar, Share::kExclusive).value());
}

TEST_F(ByteLockContract, ARefusedChangeToExclusiveLeavesItShared) {
  ASSERT_TRUE(try_lock_byte(one_, kFar, Share::kShared).value());
  ASSERT_TRUE(try_lock_byte(other_, kFar, Share::kShared).value());
  EXPECT_FALSE(try_lock_byte(one_, kFar, Share::kExclusive).value());
  ASSERT_TRUE(unlock_byte(other_, kFar));
  EXPECT_TRUE(is_byte_taken(other_, kFar, Share::kExclusive).value());
  EXPECT_FALSE(is_byte_taken(other_, kFar, Share::kShared).value());
}

TEST_F(ByteLockContract, UnlockingWhatOneDoesNotHaveDoesNothing) {
  ASSERT_TRUE(try_lock_byte(one_, kFar, Share::kExclusive).value());
  EXPECT_TRUE(unlock_byte(other_, kFar));
  EXPECT_FALSE(try_lock_byte(other_, kFar, Share::kExclusive).value());
}

TEST_F(ByteLockContract, AskingChangesNothingAndOwnLocksDoNotCount) {
  EXPECT_FALSE(is_byte_taken(one_, kFar, Share::kExclusive).value());
  ASSERT_TRUE(try_lock_byte(one_, kFar, Share::kExclusive).value());
  EXPECT_FALSE(is_byte_taken(one_, kFar, Share::kExclusive).value());
  EXPECT_TRUE(is_byte_taken(other_, kFar, Share::kExclusive).value());
  EXPECT_TRUE(is_byte_taken(other_, kFar, Share::kShared).value());
  EXPECT_TRUE(is_any_byte_taken(other_, kFar - 5).value());
  EXPECT_FALSE(is_any_byte_taken(other_, kFar + 1).value());
}

TEST_F(ByteLockContract, ARangeIsAllOrNone) {
  ASSERT_TRUE(try_lock_byte(one_, kFar + 2, Share::kExclusive).value());
  EXPECT_FALSE(try_lock_bytes(other_, kFar, 4, Share::kExclusive).value());
  EXPECT_FALSE(is_byte_taken(one_, kFar, Share::kExclusive).value());
  ASSERT_TRUE(unlock_byte(one_, kFar + 2));
  EXPECT_TRUE(try_lock_bytes(other_, kFar, 0, Share::kExclusive).value());
  EXPECT_FALSE(try_lock_byte(one_, kFar + 1000, Share::kExclusive).value());
  ASSERT_TRUE(unlock_bytes(other_, kFar, 0));
  EXPECT_TRUE(try_lock_byte(one_, kFar + 1000, Share::kExclusive).value());
}

TEST_F(ByteLockContract, ClosingGivesBackAndAHandleOfTheSameValueHasNothing) {
  for (int i = 0; i < 20; ++i) {
    File short_lived = byte_lock_contract_open_in(tmp_.dir());
    EXPECT_TRUE(try_lock_byte(short_lived, kFar, Share::kExclusive).value());
    EXPECT_FALSE(try_lock_byte(one_, kFar, Share::kExclusive).value());
    if (i % 2 == 0) {
      ASSERT_TRUE(short_lived.close());
    }
  }
  EXPECT_TRUE(try_lock_byte(one_, kFar, Share::kExclusive).value());
}

TEST_F(ByteLockContract, FlockIsApartFromTheFarBytes) {
  EXPECT_TRUE(try_flock(one_, Share::kExclusive).value());
  EXPECT_FALSE(try_flock(other_, Share::kShared).value());
  EXPECT_TRUE(try_lock_byte(other_, kFar, Share::kExclusive).value());
  ASSERT_TRUE(unlock_flock(one_));
  EXPECT_TRUE(try_flock(other_, Share::kShared).value());
}

TEST_F(ByteLockContract, WhoHasTheFlockCanReadTheFile) {
  ASSERT_TRUE(one_.write_at(0, "4711"));
  ASSERT_TRUE(try_flock(one_, Share::kExclusive).value());
  EXPECT_EQ(one_.read_at(0, 16).value(), "4711");
}

TEST(ByteLockChild, DISABLED_Holds) {
  const auto dir = Dir::open(env(kDirectory).value());
  const File file = byte_lock_contract_open_in(*dir);
  testing::tell(try_lock_byte(file, kFar, Share::kExclusive).value() ? "held" : "refused");
  pause(std::chrono::minutes(1));
}

TEST_F(ByteLockContract, AKilledProcessLetsGo) {
  testing::OwnStart holder({.test = "ByteLockChild.DISABLED_Holds",
                            .environment = {std::string(kDirectory) + "=" + tmp_.path()}});
  ASSERT_EQ(holder.hear(), "held");
  EXPECT_FALSE(try_lock_byte(one_, kFar, Share::kExclusive).value());
  holder.kill();
  // At once, or within the moments that a system may take over it.
  bool got = false;
  for (int i = 0; i < 500 && !got; ++i) {
    got = try_lock_byte(one_, kFar, Share::kExclusive).value();
    if (!got) pause(1ms);
  }
  EXPECT_TRUE(got);
}

}  // namespace
}  // namespace holdfast::os
