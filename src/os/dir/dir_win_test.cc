// SPDX-License-Identifier: Apache-2.0
//
// A directory that somebody holds with the right to delete it: for a moment, and for good.
#include "os/dir/dir.h"

#include <gtest/gtest.h>
#include <windows.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "os/dir/remove_tree.h"
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

namespace fs = std::filesystem;

class RemoveTreeOnWindows : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(tmp_.path("tree"));
    std::ofstream(tmp_.path("tree/file")) << "x";
  }
  [[nodiscard]] std::wstring wide(std::string_view name) const {
    return fs::path(tmp_.path(name)).make_preferred().wstring();
  }
  testing::TempDir tmp_;
};

TEST_F(RemoveTreeOnWindows, AReadOnlyFileGoesWithItsTree) {
  ASSERT_NE(::SetFileAttributesW(wide("tree/file").c_str(), FILE_ATTRIBUTE_READONLY), FALSE);
  EXPECT_TRUE(remove_tree(tmp_.dir(), "tree"_name).gone);
  EXPECT_FALSE(fs::exists(tmp_.path("tree")));
}

// The attribute is the file's, and so that of its name outside.
TEST_F(RemoveTreeOnWindows, AFileThatHasANameElsewhereStaysReadOnlyThere) {
  ASSERT_NE(::CreateHardLinkW(wide("outside").c_str(), wide("tree/file").c_str(), nullptr), FALSE);
  ASSERT_NE(::SetFileAttributesW(wide("outside").c_str(), FILE_ATTRIBUTE_READONLY), FALSE);
  EXPECT_TRUE(remove_tree(tmp_.dir(), "tree"_name).gone);
  EXPECT_FALSE(fs::exists(tmp_.path("tree")));
  const DWORD attributes = ::GetFileAttributesW(wide("outside").c_str());
  EXPECT_NE(attributes & FILE_ATTRIBUTE_READONLY, 0U) << attributes;
  EXPECT_NE(::SetFileAttributesW(wide("outside").c_str(), FILE_ATTRIBUTE_NORMAL), FALSE);
}

}  // namespace
}  // namespace holdfast::os
