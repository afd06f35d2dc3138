// SPDX-License-Identifier: Apache-2.0
#include "os/machine/machine_id.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>

#include "testing/sys_swap_linux.h"

namespace holdfast::os {
namespace {

TEST(MachineId, ItIsWhatTheFileSaysOrZeros) {
  std::string text;
  std::ifstream("/etc/machine-id") >> text;
  EXPECT_EQ(machine_id().value(), parse_id128(text).value_or(Id128{}));
}

TEST(MachineId, WhereThereIsNoneItIsZerosAndAFailureThatMayPassIsAnError) {
  for (const int os_code : {ENOENT, EACCES, ELOOP, EMFILE, EIO}) {
    const testing::MissingCalls missing{{"openat", os_code}};
    testing::OldKernel kernel(missing);
    const testing::ScopedCallHook hook(kernel);
    const auto id = machine_id();
    const bool may_pass = os_code == EMFILE || os_code == EIO;
    ASSERT_EQ(id.has_value(), !may_pass) << os_code;
    if (id) {
      EXPECT_EQ(*id, Id128{});
    }
  }
}

class Empty final : public testing::CallHook {
 public:
  testing::Fate before(const testing::CallSite& call) override {
    if (call.transfer_bytes == 0) return {};
    return {.kind = testing::Fate::Kind::kNothing};
  }
};

TEST(MachineId, AnEmptyFileIsZeros) {
  Empty empty;
  const testing::ScopedCallHook hook(empty);
  EXPECT_EQ(machine_id().value(), Id128{});
}

}  // namespace
}  // namespace holdfast::os
