// SPDX-License-Identifier: Apache-2.0
#include "os/lock/deny_file.h"

#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "os/spawn/env.h"
#include "testing/platform.h"
#include "testing/programs.h"
#include "testing/sys_swap_win.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using namespace std::chrono_literals;

class DenyFile : public ::testing::Test {
 protected:
  std::optional<Handle> open(Share share = Share::kExclusive) {
    auto opened = open_denying(tmp_.dir(), "life"_name, share);
    EXPECT_TRUE(opened) << (opened ? "" : to_sentence(opened.error()));
    return opened ? std::move(*opened) : std::nullopt;
  }
  bool denied(Share share = Share::kExclusive) {
    return is_denied(tmp_.dir(), "life"_name, share).value();
  }
  testing::TempDir tmp_;
};

TEST_F(DenyFile, OneHasItAndTheOthersDoNot) {
  EXPECT_FALSE(denied());
  {
    const auto held = open();
    ASSERT_TRUE(held);
    EXPECT_TRUE(denied());
    EXPECT_TRUE(denied(Share::kShared));
    EXPECT_FALSE(open());
    EXPECT_FALSE(open(Share::kShared));
  }
  EXPECT_FALSE(denied());
}

TEST_F(DenyFile, ReadersHaveItTogether) {
  const auto one = open(Share::kShared);
  const auto other = open(Share::kShared);
  ASSERT_TRUE(one && other);
  EXPECT_FALSE(denied(Share::kShared));
  EXPECT_TRUE(denied());
  EXPECT_FALSE(open());
}

TEST_F(DenyFile, ItsNameGoesWithIt) {
  close_and_remove(std::move(*open()));
  EXPECT_FALSE(tmp_.dir().info("life"_name).value());
}

// What the system says of a file that may not be written, and of one that is about to go.
HANDLE write_is_denied(const wchar_t* name, DWORD rights, DWORD share, SECURITY_ATTRIBUTES* access,
                       DWORD how, DWORD flags, HANDLE like) {
  if ((rights & kWriteRights) == 0) {
    return ::CreateFileW(name, rights, share, access, how, flags, like);
  }
  set_last_error(ERROR_ACCESS_DENIED);
  return reinterpret_cast<HANDLE>(kInvalidHandle);  // NOLINT(performance-no-int-to-ptr)
}

// Nobody has it, and nobody ever lets go of it: to wait would be in vain.
TEST_F(DenyFile, AFileThatMayNotBeWrittenIsNoHeldOne) {
  ASSERT_TRUE(tmp_.dir().create_file("life"_name, 0600).value());
  const testing::ScopedCall denied(&SysTable::CreateFileW, write_is_denied);
  const auto opened = open_denying(tmp_.dir(), "life"_name, Share::kExclusive);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().cause, "eacces");
  EXPECT_FALSE(is_denied(tmp_.dir(), "life"_name, Share::kExclusive));
}

TEST_F(DenyFile, WhereNoneMayBeMadeNobodyHoldsIt) {
  const testing::ScopedCall denied(&SysTable::CreateFileW, write_is_denied);
  const auto opened = open_denying(tmp_.dir(), "life"_name, Share::kExclusive);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().cause, "eacces");
}

TEST(DenyChild, DISABLED_HasIt) {
  testing::tell("there");
  pause(std::chrono::minutes(1));
}

TEST_F(DenyFile, AChildThatInheritedItDeniesItUntilItEnds) {
  auto held = open();
  ASSERT_TRUE(held);
  testing::OwnStart child(
      {.test = "DenyChild.DISABLED_HasIt", .environment = {}, .inherit = {held->get()}});
  ASSERT_EQ(child.hear(), "there");
  held.reset();
  EXPECT_TRUE(denied());
  child.kill();
  bool free = false;
  for (int i = 0; i < 500 && !free; ++i) {
    free = !denied();
    if (!free) pause(1ms);
  }
  EXPECT_TRUE(free);
}

TEST_F(DenyFile, ALinkInTheWayIsRefusedAndItsTargetStays) {
  ASSERT_TRUE(tmp_.dir().make_dir("target"_name, 0700));
  if (!testing::make_dir_link(tmp_.path("target"), tmp_.path("life"))) {
    GTEST_SKIP() << "no links here";
  }
  const auto opened = open_denying(tmp_.dir(), "life"_name, Share::kExclusive);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().cause, "is-link");
  EXPECT_TRUE(tmp_.dir().info("target"_name).value());
}

}  // namespace
}  // namespace holdfast::os
