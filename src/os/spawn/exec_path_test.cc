// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/exec_path.h"

#include <gtest/gtest.h>

namespace holdfast::os {
namespace {

using ExecPathPaths = std::vector<std::string>;

TEST(ExecPath, ANameWithASlashIsUsedAsItIs) {
  EXPECT_EQ(exec_candidates("./x", "/bin"), ExecPathPaths{"./x"});
  EXPECT_EQ(exec_candidates("/a/b", "/bin"), ExecPathPaths{"/a/b"});
}

TEST(ExecPath, EntriesAreTriedInOrder) {
  EXPECT_EQ(exec_candidates("x", "/a:rel:/c/"), (ExecPathPaths{"/a/x", "rel/x", "/c/x"}));
}

TEST(ExecPath, AnEmptyEntryIsNotTheCurrentDirectory) {
  EXPECT_EQ(exec_candidates("x", ":/a::/b:"), (ExecPathPaths{"/a/x", "/b/x"}));
  EXPECT_EQ(exec_candidates("x", ""), ExecPathPaths{});
}

TEST(ExecPath, WithoutPathTheSystemsPlacesAreTried) {
  EXPECT_EQ(exec_candidates("x", std::nullopt), (ExecPathPaths{"/bin/x", "/usr/bin/x"}));
}

TEST(ExecPath, AnEmptyNameIsNowhere) { EXPECT_EQ(exec_candidates("", "/a"), ExecPathPaths{}); }

}  // namespace
}  // namespace holdfast::os
