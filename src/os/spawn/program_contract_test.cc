// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/program.h"

#include <gtest/gtest.h>

#include "os/dir/dir.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

TEST(ProgramContract, TheRunningProgramIsAnExecutableFile) {
  const auto path = own_program_path();
  ASSERT_TRUE(path);
  EXPECT_NE(path->find("hf_os_test"), std::string::npos) << *path;
  EXPECT_EQ(is_executable_file(*path).value(), true);
}

TEST(ProgramContract, ItsDirectoryCanBeOpenedAndHoldsIt) {
  const std::string path = own_program_path().value();
  const std::size_t cut = path.find_last_of("/\\");
  ASSERT_NE(cut, std::string::npos);
  const auto dir = Dir::open_following_links(path.substr(0, cut));
  ASSERT_TRUE(dir);
  EXPECT_TRUE(dir->info(SafeName::make(path.substr(cut + 1)).value()).value());
}

TEST(ProgramContract, ADirectoryAPlainFileAndNothingAreNotExecutable) {
  const holdfast::testing::TempDir temp;
  ASSERT_TRUE(temp.dir().create_file("plain.txt"_name, 0600));
  EXPECT_EQ(is_executable_file(temp.path()).value(), false);
  EXPECT_EQ(is_executable_file(temp.path("plain.txt")).value(), false);
  EXPECT_EQ(is_executable_file(temp.path("nothing")).value(), false);
  EXPECT_EQ(is_executable_file(temp.path("nowhere/nothing")).value(), false);
}

TEST(ProgramContract, APathIsNotCutAtANulByte) {
  const auto answer = is_executable_file(own_program_path().value() + std::string("\0x", 2));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().cause, "unsafe-name");
}

}  // namespace
}  // namespace holdfast::os
