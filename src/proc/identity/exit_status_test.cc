// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/exit_status.h"

#include <gtest/gtest.h>

namespace holdfast::proc {
namespace {

using How = os::ChildEnd::How;

TEST(ExitStatus, EveryCodeOfTheCommandPasses) {
  for (int code = 0; code <= 255; ++code) {
    EXPECT_EQ(wrapper_exit_code({os::Pid{1}, How::kExited, code}), code);
  }
}

TEST(ExitStatus, DeathOfASignalIs128AndItsNumber) {
  EXPECT_EQ(wrapper_exit_code({os::Pid{1}, How::kSignalled, 15}), 143);
  EXPECT_EQ(wrapper_exit_code({os::Pid{1}, How::kSignalled, 9}), 137);
}

TEST(ExitStatus, IsDescribedInWords) {
  EXPECT_EQ(describe({os::Pid{1}, How::kExited, 3}), "exit code 3");
  EXPECT_EQ(describe({os::Pid{1}, How::kSignalled, 15}), "signal TERM");
}

}  // namespace
}  // namespace holdfast::proc
