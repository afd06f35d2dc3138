// SPDX-License-Identifier: Apache-2.0
//
// A directory that somebody holds with the right to delete it: for a moment, and for good.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "os/dir/dir.h"
#include "os/file/entry_win.h"
#include "os/path/path_win.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class DirOnWindows : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(tmp_.path("d")); }
  // As a rename or a removal holds it.
  [[nodiscard]] Opened hold() const {
    return open_itself(absolute_path(tmp_.path("d")).value(), DELETE | SYNCHRONIZE, kDenyNobody)
        .value();
  }

  testing::TempDir tmp_;
};

TEST_F(DirOnWindows, OneThatIsJustBeingNamedIsWaitedFor) {
  for (const bool follow : {false, true}) {
    Opened held = hold();
    ASSERT_TRUE(held.handle.valid());
    std::thread done([&held] {
      sys().Sleep(50);
      held.handle.reset();
    });
    const auto dir = follow ? Dir::open_following_links(tmp_.path("d")) : Dir::open(tmp_.path("d"));
    done.join();
    EXPECT_TRUE(dir) << to_sentence(dir.error());
  }
}

TEST_F(DirOnWindows, WhoKeepsItMakesItBusy) {
  const Opened held = hold();
  ASSERT_TRUE(held.handle.valid());
  const auto dir = Dir::open(tmp_.path("d"));
  ASSERT_FALSE(dir);
  EXPECT_EQ(dir.error().code, ErrorCode::kBusy);
  // Whoever only looks at the entry needs nobody's leave.
  EXPECT_TRUE(tmp_.dir().info(SafeName::make("d").value()).value());
}

}  // namespace
}  // namespace holdfast::os
