// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "testing/swap_stream.h"

namespace holdfast::os {
namespace {

TEST(PipeContract, WhatIsWrittenComesOutAndThenTheEnd) {
  Pipe pipe = make_pipe().value();
  ASSERT_EQ(write_some(pipe.write_end, "abc").value(), 3U);
  std::array<char, 2> buffer{};
  EXPECT_EQ(read_pipe(pipe.read_end, buffer).value(), 2U);
  EXPECT_EQ(std::string(buffer.data(), 2), "ab");
  pipe.write_end.reset();
  EXPECT_EQ(read_pipe(pipe.read_end, buffer).value(), 1U);
  EXPECT_EQ(read_pipe(pipe.read_end, buffer).value(), 0U) << "the end";
  EXPECT_EQ(read_pipe(pipe.read_end, buffer).value(), 0U) << "again";
}

TEST(PipeContract, AReaderThatIsGoneIsAnErrorAndNoDeath) {
  testing::ignore_broken_pipes();
  Pipe pipe = make_pipe().value();
  pipe.read_end.reset();
  const auto wrote = write_some(pipe.write_end, "x");
  ASSERT_FALSE(wrote);
  EXPECT_EQ(wrote.error().cause, "epipe");
}

TEST(PipeContract, AllOfALongTextIsReadToItsEndButNoMoreThanWasAsked) {
  testing::ignore_broken_pipes();
  const std::string text(300'000, 'x');
  for (const std::size_t most : {text.size() + 1, std::size_t{10}}) {
    Pipe pipe = make_pipe().value();
    std::thread writer([&] {
      for (std::string_view left = text; !left.empty();) {
        const auto wrote = write_some(pipe.write_end, left);
        if (!wrote) break;  // nobody reads the rest
        left.remove_prefix(*wrote);
      }
      pipe.write_end.reset();
    });
    const auto read = read_pipe_to_end(pipe.read_end, most);
    pipe.read_end.reset();
    writer.join();
    ASSERT_TRUE(read);
    EXPECT_EQ(read->size(), std::min(most, text.size()));
  }
}

}  // namespace
}  // namespace holdfast::os
