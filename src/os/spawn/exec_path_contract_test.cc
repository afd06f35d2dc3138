// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "os/spawn/exec_path.h"

namespace holdfast::os {
namespace {

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

}  // namespace
}  // namespace holdfast::os
