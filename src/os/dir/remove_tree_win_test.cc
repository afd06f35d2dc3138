// SPDX-License-Identifier: Apache-2.0
#include "os/dir/remove_tree.h"

#include <gtest/gtest.h>
#include <windows.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

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
