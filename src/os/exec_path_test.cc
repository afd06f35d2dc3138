// SPDX-License-Identifier: Apache-2.0
#include "os/exec_path.h"

#include <gtest/gtest.h>

namespace holdfast::os {
namespace {

using Paths = std::vector<std::string>;

TEST(ExecPath, ANameWithASlashIsUsedAsItIs) {
  EXPECT_EQ(exec_candidates("./x", "/bin"), Paths{"./x"});
  EXPECT_EQ(exec_candidates("/a/b", "/bin"), Paths{"/a/b"});
}

TEST(ExecPath, EntriesAreTriedInOrder) {
  EXPECT_EQ(exec_candidates("x", "/a:rel:/c/"), (Paths{"/a/x", "rel/x", "/c/x"}));
}

TEST(ExecPath, AnEmptyEntryIsNotTheCurrentDirectory) {
  EXPECT_EQ(exec_candidates("x", ":/a::/b:"), (Paths{"/a/x", "/b/x"}));
  EXPECT_EQ(exec_candidates("x", ""), Paths{});
}

TEST(ExecPath, WithoutPathTheSystemsPlacesAreTried) {
  EXPECT_EQ(exec_candidates("x", std::nullopt), (Paths{"/bin/x", "/usr/bin/x"}));
}

TEST(ExecPath, AnEmptyNameIsNowhere) { EXPECT_EQ(exec_candidates("", "/a"), Paths{}); }

}  // namespace
}  // namespace holdfast::os
