// SPDX-License-Identifier: Apache-2.0
//
// On ordinary files, which behave the same but for what only the kernel's own can do; those are in
// proc/tree/cgroup_test.cc.
#include "os/stream/control_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class ControlFiles : public ::testing::Test {
 protected:
  void put(const char* name, const std::string& text) const {
    std::ofstream(tmp_.path(name)) << text;
  }
  testing::TempDir tmp_;
};

TEST_F(ControlFiles, WhatIsNotThereIsAnAnswer) {
  EXPECT_FALSE(read_control(tmp_.dir(), "absent"_name).value());
  EXPECT_FALSE(write_control(tmp_.dir(), "absent"_name, "1").value());
}

TEST_F(ControlFiles, EveryReadIsWhatHoldsNow) {
  put("one", "first");
  const auto file = ControlFile::open(tmp_.dir(), "one"_name, ControlAccess::kRead).value();
  EXPECT_EQ(file->read().value(), "first");
  EXPECT_TRUE(write_control(tmp_.dir(), "one"_name, "SECOND").value());
  EXPECT_EQ(file->read().value(), "SECOND");
  std::array<char, 3> buffer{};
  EXPECT_EQ(file->read_start(buffer).value(), 3U);
  EXPECT_EQ(std::string_view(buffer.data(), 3), "SEC");
}

TEST_F(ControlFiles, LongTextsAreReadWhole) {
  for (const std::size_t size : {4095U, 4096U, 4097U, 100'000U}) {
    put("long", std::string(size, 'x'));
    EXPECT_EQ(read_control(tmp_.dir(), "long"_name).value()->size(), size);
  }
}

TEST_F(ControlFiles, ALinkIsNotFollowed) {
  put("real", "x");
  std::filesystem::create_symlink(tmp_.path("real"), tmp_.path("link"));
  EXPECT_EQ(read_control(tmp_.dir(), "link"_name).error().cause, "eloop");
}

// The group of an open file is removed: ENODEV from then on.
TEST_F(ControlFiles, AnOpenFileOfWhatIsGoneSaysSo) {
  put("one", "x");
  const auto read = ControlFile::open(tmp_.dir(), "one"_name, ControlAccess::kRead).value();
  const auto write = ControlFile::open(tmp_.dir(), "one"_name, ControlAccess::kWrite).value();
  const testing::MissingCalls gone{{"pread", ENODEV}, {"write", ENODEV}};
  testing::OldKernel hook(gone);
  const testing::ScopedCallHook hooked(hook);
  EXPECT_FALSE(read->read().value());
  EXPECT_FALSE(write->write("1").value());
}

TEST_F(ControlFiles, AValueThatWasTakenInPartIsAnError) {
  put("one", "");
  class Halves final : public testing::CallHook {
    testing::Fate before(const testing::CallSite& call) override {
      if (call.name == "write") return {.kind = testing::Fate::Kind::kShorten};
      return {};
    }
  } halves;
  const testing::ScopedCallHook hooked(halves);
  EXPECT_FALSE(write_control(tmp_.dir(), "one"_name, "100000 100000"));
}

TEST_F(ControlFiles, AnOrdinaryDirectoryIsNoControlGroup) {
  EXPECT_EQ(cgroup_version(tmp_.dir()).value(), CgroupVersion::kNone);
}

}  // namespace
}  // namespace holdfast::os
