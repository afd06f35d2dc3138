// SPDX-License-Identifier: Apache-2.0
//
// What can be told without a second process. Streams that are closed or whose reader went away are
// tested on the built program, under tests/.
#include "os/stream/stdio.h"

#include <gtest/gtest.h>

#include "os/stream/pipe.h"
#include "os/stream/stream_writer.h"
#include "os/watch/poll.h"
#include "testing/platform.h"

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

// The stream is a pipe of the test's own, put in place of stderr for the moment.

TEST(StreamWriterContract, AReaderThatDoesNotReadKeepsNobodyWaiting) {
  Pipe pipe = make_pipe().value();
  const testing::SwappedStderr swapped(pipe.write_end);
  auto writer = StreamWriter::open(Stream::kErr);
  ASSERT_TRUE(writer);
  const std::string text(1U << 20U, 'x');
  std::string_view left = text;
  // Until it takes no more, which it must come to say.
  std::size_t idle = 0;
  while (idle < 3 && !left.empty()) {
    const auto took = writer->write_some(left);
    ASSERT_TRUE(took);
    left.remove_prefix(*took);
    idle = *took == 0 ? idle + 1 : 0;
  }
  ASSERT_EQ(idle, 3U) << "all of it went where nobody reads";
  EXPECT_FALSE(is_writable(writer->handle()).value());

  // With a reader the rest arrives, each byte once.
  std::string read;
  std::string buffer(65536, '\0');
  while (read.size() < text.size()) {
    if (!left.empty() && is_writable(writer->handle()).value()) {
      left.remove_prefix(writer->write_some(left).value());
    }
    if (!is_readable(pipe.read_end).value()) continue;
    const std::size_t got = read_pipe(pipe.read_end, buffer).value();
    read.append(buffer, 0, got);
  }
  EXPECT_EQ(read, text);
}

TEST(StreamWriterContract, AReaderThatIsGoneIsSaid) {
  Pipe pipe = make_pipe().value();
  const testing::SwappedStderr swapped(pipe.write_end);
  auto writer = StreamWriter::open(Stream::kErr);
  ASSERT_TRUE(writer);
  pipe.read_end.reset();
  for (;;) {
    const auto took = writer->write_some("x");
    if (took && *took == 0) continue;
    ASSERT_FALSE(took);
    EXPECT_EQ(took.error().cause, "epipe");
    break;
  }
}

}  // namespace
}  // namespace holdfast::os
