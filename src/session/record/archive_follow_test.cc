// SPDX-License-Identifier: Apache-2.0
//
// Linux only: under Wine, which has no rename with POSIX semantics, a reader that has the old log
// open keeps it from being replaced.
#include "session/record/archive_fixture.h"

namespace holdfast::session {
namespace {

TEST_F(Archive, AFollowerGoesThroughRotationsAndLosesNothing) {
  write(1);
  append("a");
  auto log = *LogReader::open(dir_, 1);
  EXPECT_EQ(drain(*log), "a");
  append("b");
  rotate();  // written and rotated since the last look
  EXPECT_EQ(drain(*log), "b");
  EXPECT_EQ(drain(*log), "");  // there is no out.log yet
  append("c");
  EXPECT_EQ(drain(*log), "c");
  EXPECT_FALSE(log->overtaken());
  rotate();
  append("d");
  rotate();
  append("e");
  EXPECT_EQ(drain(*log), "de");
  EXPECT_TRUE(log->overtaken());  // it might have been more than that
}

}  // namespace
}  // namespace holdfast::session
