// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_view.h"

#include <gtest/gtest.h>

#include "cli/frame/test_frame.h"
#include "cli/output/wrap.h"
#include "format/json/json.h"
#include "run/lock/lock_text.h"

namespace holdfast::cli {
namespace {

using namespace std::chrono_literals;

lock::LockStatus held() {
  lock::LockStatus status{.label = "a-rather-long-name-of-a-lock",
                          .state = lock::Visible::kHeld,
                          .evidence = "life-held"};
  status.holders.push_back(
      {.pid = 4711, .host = "db1", .since = WallTime(100s), .reason = "nightly build"});
  return status;
}

TEST(LockView, ANarrowTerminalShowsTheStateOfALongName) {
  RecordingContext context;
  context.width = 30;
  const std::string table = status_table(context, {held()}, WallTime(165s));
  EXPECT_NE(table.find("held"), table.npos) << table;
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = table.find('\n', at);
    EXPECT_LE(columns_of(table.substr(at, end - at)), 30U);
    at = end + 1;
  }
}

TEST(LockView, WithoutATerminalNothingIsCut) {
  const RecordingContext context;
  const std::string table = status_table(context, {held()}, WallTime(165s));
  EXPECT_NE(table.find("a-rather-long-name-of-a-lock  held   4711  1m5s  nightly build\n"),
            table.npos)
      << table;
}

TEST(LockView, WhatAHolderSaysCannotDriveTheTerminal) {
  const RecordingContext context;
  lock::LockStatus status = held();
  status.holders.front().reason = "\x1b[2J";
  status.label = "a\nb";
  EXPECT_EQ(status_table(context, {status}, WallTime(165s)).find('\x1b'), std::string::npos);
  EXPECT_EQ(status_text(context, status, WallTime(165s)).find('\x1b'), std::string::npos);
  EXPECT_NE(status_table(context, {status}, WallTime(165s)).find("a\\x0ab"), std::string::npos);
}

TEST(LockView, WhatIsNotKnownIsNullAndNeverLeftOut) {
  const Json free = status_json({.label = "x", .evidence = "free"});
  for (const char* key : {"mode", "holder", "owner", "fence", "ttl_ms", "left_ms", "break_id"}) {
    ASSERT_TRUE(free.contains(key)) << key;
    EXPECT_TRUE(free[key].is_null()) << key;
  }
  EXPECT_EQ(free["holders"], Json::array());
  EXPECT_EQ(free["waiters"], Json::array());
}

TEST(LockView, AForeignHolderIsCalledSo) {
  EXPECT_EQ(run::holder_text({.pid = 7, .foreign = true}), "a program that is not holdfast, pid 7");
  EXPECT_EQ(run::holder_text({}), "an unknown process");
}

}  // namespace
}  // namespace holdfast::cli
