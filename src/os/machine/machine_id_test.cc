// SPDX-License-Identifier: Apache-2.0
#include "os/machine/machine_id.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
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

TEST(BootIdLinux, ItIsWhatTheKernelSays) {
  std::string text;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
  ASSERT_EQ(text.size(), 36U);
  std::erase(text, '-');
  EXPECT_EQ(to_hex(boot_id().value()), text);
}

TEST(BootIdLinux, WithoutProcItIsAnErrorAndNotAnotherBoot) {
  const testing::MissingCalls missing{{"openat", ENOENT}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  const auto id = boot_id();
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().code, ErrorCode::kOsRefused);
  EXPECT_EQ(id.error().cause, "no-proc");
}

class Nothing final : public testing::CallHook {
 public:
  explicit Nothing(testing::Fate::Kind kind) : kind_(kind) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.transfer_bytes == 0) return {};
    return {.kind = kind_};
  }

 private:
  testing::Fate::Kind kind_;
};

TEST(BootIdLinux, AnEmptyAnswerIsCannotTell) {
  Nothing nothing(testing::Fate::Kind::kNothing);
  const testing::ScopedCallHook hook(nothing);
  const auto id = boot_id();
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().code, ErrorCode::kCannotTell);
}

TEST(BootIdLinux, ShortReadsAreGoneOnWith) {
  const Id128 whole = boot_id().value();
  Nothing half(testing::Fate::Kind::kShorten);
  const testing::ScopedCallHook hook(half);
  EXPECT_EQ(boot_id().value(), whole);
}

TEST(HostNameLinux, ItIsTheNodesNameOrEmpty) {
  std::array<char, 256> name{};
  ASSERT_EQ(::gethostname(name.data(), name.size() - 1), 0);
  EXPECT_EQ(host_name(), name.data());
  const testing::MissingCalls missing{{"uname", ENOSYS}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EQ(host_name(), "");
}

}  // namespace
}  // namespace holdfast::os
