// SPDX-License-Identifier: Apache-2.0
#include "cli/hook/hook_order.h"

#include <gtest/gtest.h>

#include "cli/hook/hook_run.h"

namespace holdfast::cli {
namespace {

TEST(HookOrder, AnswersAreNamedOneByOne) {
  const auto codes = hook_allow_value("busy,deadline,command-not-found");
  ASSERT_TRUE(codes);
  EXPECT_EQ(*codes,
            (std::vector{ExitCode::kBusy, ExitCode::kDeadline, ExitCode::kCommandNotFound}));
  for (const char* text : {"", "all", "busy,", ",busy", "75", "Busy", "busy deadline"}) {
    const auto none = hook_allow_value(text);
    ASSERT_FALSE(none) << text;
    EXPECT_EQ(none.error().code, ErrorCode::kUsage) << text;
  }
}

TEST(HookOrder, AWrongLineAndAFaultAreNeverAllowed) {
  for (const char* text : {"done", "usage", "internal"})
    EXPECT_FALSE(hook_allow_value(text)) << text;
}

TEST(HookOrder, EveryOtherAnswerHasAWord) {
  for (const ExitCodeInfo& known : kExitCodes) {
    EXPECT_EQ(hook_allow_value(known.name).has_value(), can_be_allowed(known.code)) << known.name;
    EXPECT_EQ(answer_name(to_int(known.code)), known.name);
  }
  EXPECT_EQ(answer_name(1), "");
}

TEST(HookOrder, OnlyZeroIsNotBlocked) {
  EXPECT_EQ(hook_status(0), 0);
  for (const int code : {1, 2, 64, 70, 75, 124, 255}) EXPECT_EQ(hook_status(code), kHookBlocks);
}

}  // namespace
}  // namespace holdfast::cli
