// SPDX-License-Identifier: Apache-2.0
#include "os/stream/fifo.h"

#include <gtest/gtest.h>

#include <array>

#include "os/watch/poll.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

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
