// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/program.h"

#include <gtest/gtest.h>

namespace holdfast::os {
namespace {

using ExecPathWinPaths = std::vector<std::string>;

TEST(ExecPathWin, ANameWithASeparatorOrADriveIsNotSearchedFor) {
  EXPECT_EQ(exec_candidates("./x.exe", "C:\\bin"), ExecPathWinPaths{"./x.exe"});
  EXPECT_EQ(exec_candidates(".\\x.exe", "C:\\bin"), ExecPathWinPaths{".\\x.exe"});
  EXPECT_EQ(exec_candidates("D:x.exe", "C:\\bin"), ExecPathWinPaths{"D:x.exe"});
}

TEST(ExecPathWin, TheEndingsOfProgramsAreAddedAndNoneOfScripts) {
  EXPECT_EQ(exec_candidates("x", "C:\\a"), (ExecPathWinPaths{"C:\\a\\x.exe", "C:\\a\\x.com"}));
  EXPECT_EQ(exec_candidates("x.EXE", "C:\\a"), ExecPathWinPaths{"C:\\a\\x.EXE"});
  for (const std::string& path : exec_candidates("x.bat", "C:\\a")) {
    EXPECT_FALSE(path.ends_with(".bat")) << path;
  }
}

TEST(ExecPathWin, EntriesAreTriedInOrderAlsoThoseInQuotes) {
  EXPECT_EQ(exec_candidates("x.exe", "C:\\a;\"C:\\b c\";D:/d/"),
            (ExecPathWinPaths{"C:\\a\\x.exe", "C:\\b c\\x.exe", "D:/d/x.exe"}));
}

TEST(ExecPathWin, WithoutPathThereIsNothingToTry) {
  EXPECT_EQ(exec_candidates("x", std::nullopt), ExecPathWinPaths{});
}

}  // namespace
}  // namespace holdfast::os
