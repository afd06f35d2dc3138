// SPDX-License-Identifier: Apache-2.0
//
// What can be told without a second process. Streams that are closed or whose reader went away are
// tested on the built program, under tests/.
#include "os/stream/stdio.h"

#include <gtest/gtest.h>

namespace holdfast::os {
namespace {

TEST(StdioContract, AdoptingTheStreamsTwiceIsFine) {
  EXPECT_TRUE(adopt_standard_streams());
  EXPECT_TRUE(adopt_standard_streams());
}

TEST(StdioContract, WritingNothingSucceeds) { EXPECT_TRUE(write_stream(Stream::kOut, "")); }

TEST(StdioContract, AWrittenLineGoesToTheStream) {
  ::testing::internal::CaptureStdout();
  const auto wrote = write_stream(Stream::kOut, "grüße\n");
  const std::string captured = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(wrote);
  EXPECT_EQ(captured, "grüße\n");
}

TEST(StdioContract, StdinIsATerminalWhereItsKindSaysSo) {
  const auto kind = stdin_kind();
  ASSERT_TRUE(kind);
  EXPECT_EQ(*kind == StdinKind::kTerminal, is_terminal(Stream::kIn));
}

TEST(StdioContract, OnlyATerminalHasColumns) {
  for (const Stream stream : {Stream::kIn, Stream::kOut, Stream::kErr}) {
    const auto columns = terminal_columns(stream);
    EXPECT_TRUE(!columns || is_terminal(stream));
    EXPECT_GT(columns.value_or(1), 0);
  }
}

}  // namespace
}  // namespace holdfast::os
