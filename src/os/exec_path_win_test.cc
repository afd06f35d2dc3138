// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "os/exec_path.h"

namespace holdfast::os {
namespace {

using Paths = std::vector<std::string>;

TEST(ExecPathWin, ANameWithASeparatorOrADriveIsNotSearchedFor) {
  EXPECT_EQ(exec_candidates("./x.exe", "C:\\bin"), Paths{"./x.exe"});
  EXPECT_EQ(exec_candidates(".\\x.exe", "C:\\bin"), Paths{".\\x.exe"});
  EXPECT_EQ(exec_candidates("D:x.exe", "C:\\bin"), Paths{"D:x.exe"});
}

TEST(ExecPathWin, TheEndingsOfProgramsAreAddedAndNoneOfScripts) {
  EXPECT_EQ(exec_candidates("x", "C:\\a"), (Paths{"C:\\a\\x.exe", "C:\\a\\x.com"}));
  EXPECT_EQ(exec_candidates("x.EXE", "C:\\a"), Paths{"C:\\a\\x.EXE"});
  for (const std::string& path : exec_candidates("x.bat", "C:\\a")) {
    EXPECT_FALSE(path.ends_with(".bat")) << path;
  }
}

TEST(ExecPathWin, EntriesAreTriedInOrderAlsoThoseInQuotes) {
  EXPECT_EQ(exec_candidates("x.exe", "C:\\a;\"C:\\b c\";D:/d/"),
            (Paths{"C:\\a\\x.exe", "C:\\b c\\x.exe", "D:/d/x.exe"}));
}

TEST(ExecPathWin, WithoutPathThereIsNothingToTry) {
  EXPECT_EQ(exec_candidates("x", std::nullopt), Paths{});
}

}  // namespace
}  // namespace holdfast::os
