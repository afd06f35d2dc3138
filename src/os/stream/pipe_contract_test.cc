// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "os/watch/poll.h"
#include "testing/platform.h"
#include "testing/temp_dir.h"

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

class FifoContract : public ::testing::Test {
 protected:
  // What comes within the limit, up to `length` bytes of it.
  static std::string take(const Handle& fifo, std::size_t length) {
    std::string got;
    std::array<char, 256> buffer{};
    while (got.size() < length) {
      if (!wait_readable({&fifo}, std::chrono::seconds(20)).value()) break;
      got.append(buffer.data(), take_from(fifo, buffer).value());
    }
    return got;
  }
  testing::TempDir tmp_;
  SafeName name_ = SafeName::make("control").value();
};

TEST_F(FifoContract, WhatAnybodyPutsIntoItIsFoundWholeByWhoReads) {
  const Handle fifo = make_fifo(tmp_.dir(), name_).value();
  std::array<char, 16> buffer{};
  EXPECT_FALSE(is_readable(fifo).value());
  EXPECT_EQ(take_from(fifo, buffer).value(), 0U) << "it never waits";
  ASSERT_EQ(put_into(tmp_.dir(), name_, "one\n").value(), Put::kPut);
  EXPECT_EQ(take(fifo, 4), "one\n");
  for (const char* text : {"two\n", "tri\n"}) {
    ASSERT_EQ(put_into(tmp_.dir(), name_, text).value(), Put::kPut);
  }
  EXPECT_EQ(take(fifo, 8), "two\ntri\n");
  EXPECT_EQ(take_from(fifo, buffer).value(), 0U);
}

TEST_F(FifoContract, WithoutOneNobodyReads) {
  EXPECT_EQ(put_into(tmp_.dir(), name_, "x").value(), Put::kNobodyReads);
}

TEST_F(FifoContract, ANewOneTakesThePlaceOfAnOldOne) {
  const Handle old = make_fifo(tmp_.dir(), name_).value();
  const Handle fifo = make_fifo(tmp_.dir(), name_).value();
  ASSERT_EQ(put_into(tmp_.dir(), name_, "new\n").value(), Put::kPut);
  EXPECT_EQ(take(fifo, 4), "new\n");
}

TEST_F(FifoContract, SomethingElseOfThatNameStays) {
  auto file = tmp_.dir().create_file(name_, 0600).value();
  ASSERT_TRUE(file->write_all("somebody's"));
  file.reset();
  const auto made = make_fifo(tmp_.dir(), name_);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().cause, "not-a-fifo");
  EXPECT_EQ(tmp_.dir().open_file(name_, Access::kRead).value()->read_all(100).value(),
            "somebody's");
}

}  // namespace
}  // namespace holdfast::os
