// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/program.h"

#include <gtest/gtest.h>

#include "base/printable.h"
#include "os/dir/dir.h"
#include "os/spawn/env.h"
#include "testing/platform.h"

namespace holdfast::os {
namespace {

TEST(ProgramContract, TheRunningProgramIsFound) {
  const auto path = own_program_path();
  ASSERT_TRUE(path);
  EXPECT_NE(path->find("hf_os_test"), std::string::npos) << *path;
}

TEST(ProgramContract, ItsDirectoryCanBeOpenedAndHoldsIt) {
  const std::string path = own_program_path().value();
  const std::size_t cut = path.find_last_of("/\\");
  ASSERT_NE(cut, std::string::npos);
  const auto dir = Dir::open_following_links(path.substr(0, cut));
  ASSERT_TRUE(dir);
  EXPECT_TRUE(dir->info(SafeName::make(path.substr(cut + 1)).value()).value());
}

TEST(ExecPathContract, NothingIsLookedForInTheCurrentDirectory) {
  for (const char* path : {"", ":", ";", ":::", ";;;", "/a::/b:", "C:\\a;;C:\\b;"}) {
    for (const std::string& found : exec_candidates("x", path)) {
      EXPECT_NE(found.find_first_of("/\\"), std::string::npos) << path << " leads to " << found;
    }
  }
}

TEST(ExecPathContract, AnEmptyNameIsNowhere) {
  EXPECT_TRUE(exec_candidates("", "/a").empty());
  EXPECT_TRUE(exec_candidates("", std::nullopt).empty());
}

TEST(ExecPathContract, ANameWithASlashIsNotSearchedFor) {
  for (const std::string& found : exec_candidates("./x", "/bin")) {
    EXPECT_TRUE(found.starts_with("./x")) << found;
  }
}

// Tested on what every environment has, the search path, by whatever case the platform spells it,
// and on names that none has.

TEST(EnvContract, ASetVariableHasItsValueAsText) {
  const auto path = env("PATH");
  ASSERT_TRUE(path);
  EXPECT_FALSE(path->empty());
  EXPECT_TRUE(is_utf8(*path));
}

TEST(EnvContract, AnEmptyVariableIsSet) {
  const char* const name = "HOLDFAST_TEST_EMPTY";
  EXPECT_FALSE(env(name));
  {
    const testing::ScopedEnv empty(name, "");
    EXPECT_EQ(env(name), "");
  }
  EXPECT_FALSE(env(name));
  const testing::ScopedEnv large(name, std::string(1000, 'x'));
  EXPECT_EQ(env(name), std::string(1000, 'x'));
}

TEST(EnvContract, AnUnsetVariableIsNothing) { EXPECT_FALSE(env("HOLDFAST_TEST_NOBODY_SETS_THIS")); }

}  // namespace
}  // namespace holdfast::os
