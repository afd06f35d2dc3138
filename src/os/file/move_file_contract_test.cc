// SPDX-License-Identifier: Apache-2.0
#include "os/file/move_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(MoveFile, LikeRenameNewItNeverReplaces) {
  const testing::TempDir tmp;
  std::filesystem::create_directory(tmp.path("to"));
  const Dir to = *tmp.dir().open_dir("to"_name);
  std::ofstream(tmp.path("a")) << "one";
  EXPECT_EQ(*move_new(tmp.dir(), "a"_name, to, "b"_name), Placed::kPlaced);
  EXPECT_TRUE(std::filesystem::exists(tmp.path("to/b")));
  std::ofstream(tmp.path("a")) << "two";
  EXPECT_EQ(*move_new(tmp.dir(), "a"_name, to, "b"_name), Placed::kNameTaken);
  EXPECT_EQ(std::filesystem::file_size(tmp.path("a")), 3U);
  const auto gone = move_new(tmp.dir(), "none"_name, to, "c"_name);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace holdfast::os
