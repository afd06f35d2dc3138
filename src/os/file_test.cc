// SPDX-License-Identifier: Apache-2.0
//
// Transfers as only a hook can bend them: short, or of no byte at all.
#include "os/file.h"

#include <gtest/gtest.h>

#include "os/dir.h"
#include "os/stdio.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using testing::Fate;

class Bent final : public testing::CallHook {
 public:
  static constexpr int kCap = 100'000;  // so that a caller that tries for ever ends, too
  explicit Bent(Fate::Kind kind) : kind_(kind) {}
  Fate before(const testing::CallSite& call) override {
    if (call.transfer_bytes == 0 || ++transfers > kCap) return {};
    return {.kind = kind_};
  }
  int transfers = 0;

 private:
  Fate::Kind kind_;
};

class FileLinux : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(file_.write_all("content"));
    bytes_ = std::string(1000, 'x');
  }
  testing::TempDir tmp_;
  File file_ = tmp_.dir().create_file("f"_name, 0600).value().value();
  std::string bytes_;
};

void expect_io(const Result<>& result) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kIo);
  EXPECT_EQ(result.error().cause, "eio");
}

TEST_F(FileLinux, AWriteOfNothingIsAnErrorAndNotALoop) {
  Bent nothing(Fate::Kind::kNothing);
  const testing::ScopedCallHook hook(nothing);
  expect_io(file_.write_all(bytes_));
  expect_io(file_.write_at(0, bytes_));
  expect_io(write_stream(Stream::kOut, bytes_));
  EXPECT_EQ(nothing.transfers, 3);
}

TEST_F(FileLinux, ShortTransfersAreGoneOnWith) {
  Bent half(Fate::Kind::kShorten);
  const testing::ScopedCallHook hook(half);
  ASSERT_TRUE(file_.write_at(0, bytes_));
  EXPECT_EQ(file_.read_at(0, bytes_.size()).value(), bytes_);
  auto reopened = tmp_.dir().open_file("f"_name, Access::kRead).value().value();
  EXPECT_EQ(reopened.read_all(bytes_.size()).value(), bytes_);
  EXPECT_GT(half.transfers, 20);
}

}  // namespace
}  // namespace holdfast::os
