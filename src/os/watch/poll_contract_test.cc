// SPDX-License-Identifier: Apache-2.0
#include "os/watch/poll.h"

#include <gtest/gtest.h>

#include <thread>

#include "os/machine/real_clock.h"
#include "os/spawn/inherited.h"
#include "os/stream/pipe.h"
#include "os/watch/boot_timer.h"

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;

void make_readable(const Pipe& pipe) { ASSERT_EQ(write_some(pipe.write_end, "x").value(), 1U); }

BootTimer due_in(milliseconds delay) {
  BootTimer timer = BootTimer::create().value();
  EXPECT_TRUE(timer.set(RealClock().boot() + delay));
  return timer;
}

TEST(PollContract, WhatIsReadableOrHungUpIsSeenAndQuietIsNot) {
  Pipe quiet = make_pipe().value();
  EXPECT_FALSE(is_readable(quiet.read_end).value());
  const Pipe full = make_pipe().value();
  make_readable(full);
  EXPECT_TRUE(is_readable(full.read_end).value());
  EXPECT_TRUE(wait_readable({&quiet.read_end, &full.read_end}, std::nullopt).value());
  quiet.write_end.reset();
  EXPECT_TRUE(is_readable(quiet.read_end).value()) << "a hang-up reads as the end";
}

TEST(PollContract, APipeHangsUpWithItsLastWriter) {
  Pipe pipe = make_pipe().value();
  Handle other = copy_handle(pipe.write_end.get()).value();
  EXPECT_FALSE(is_hung_up(pipe.read_end).value());
  pipe.write_end.reset();
  EXPECT_FALSE(is_hung_up(pipe.read_end).value()) << "there is another writer";
  other.reset();
  EXPECT_TRUE(is_hung_up(pipe.read_end).value());
}

TEST(PollContract, NullAndEmptyHandlesAreLeftOut) {
  const Pipe quiet = make_pipe().value();
  const Handle empty;
  EXPECT_FALSE(wait_readable({nullptr, &empty, &quiet.read_end}, milliseconds(1)).value());
}

TEST(PollContract, TheLimitIsNeitherShorterNorEndless) {
  const Pipe quiet = make_pipe().value();
  const MonoTime before = RealClock().mono();
  EXPECT_FALSE(wait_readable({&quiet.read_end}, milliseconds(60)).value());
  EXPECT_GE(RealClock().mono() - before, milliseconds(40)) << "the clock may be as coarse as 16 ms";
  EXPECT_FALSE(wait_readable({&quiet.read_end}, milliseconds(-5)).value());
}

TEST(PollContract, ATimerEndsAWaitWithoutALimit) {
  const Pipe quiet = make_pipe().value();
  for (const milliseconds limit :
       {milliseconds((std::int64_t{1} << 32U) + 50), milliseconds::max()}) {
    const BootTimer timer = due_in(milliseconds(50));
    EXPECT_TRUE(wait_readable({&quiet.read_end, &timer.handle()}, limit).value());
  }
  const BootTimer timer = due_in(milliseconds(50));
  EXPECT_TRUE(wait_readable({&quiet.read_end, &timer.handle()}, std::nullopt).value());
}

TEST(PollContract, WhatComesWhileItWaitsEndsTheWait) {
  const Pipe pipe = make_pipe().value();
  std::thread writer([&] { make_readable(pipe); });
  EXPECT_TRUE(wait_readable({&pipe.read_end}, std::chrono::seconds(20)).value());
  writer.join();
}

// More than the 64 that Windows takes in one call.
TEST(PollContract, ManyHandlesAreAllWatched) {
  std::vector<BootTimer> timers;
  for (int i = 0; i < 150; ++i) {
    timers.push_back(BootTimer::create().value());
    ASSERT_TRUE(timers.back().set(std::nullopt));
  }
  std::vector<const Handle*> handles;
  for (const BootTimer& timer : timers) handles.push_back(&timer.handle());
  EXPECT_FALSE(wait_readable(handles, milliseconds(0)).value());
  for (const std::size_t due :
       {std::size_t{0}, std::size_t{63}, std::size_t{64}, std::size_t{149}}) {
    ASSERT_TRUE(timers[due].set(RealClock().boot() + milliseconds(20)));
    EXPECT_TRUE(wait_readable(handles, std::chrono::seconds(20)).value()) << due;
    ASSERT_TRUE(timers[due].set(std::nullopt));
  }
}

using std::chrono::milliseconds;
using std::chrono::seconds;

// Waits as an owner does: it looks at its clock whenever it is woken.
Duration lateness(const BootTimer& timer, BootTime moment) {
  const RealClock clock;
  while (clock.boot() < moment) {
    EXPECT_TRUE(wait_readable({&timer.handle()}, seconds(20)).value()) << "it was never woken";
  }
  return clock.boot() - moment;
}

TEST(BootTimerContract, ItWakesAtTheMomentAndNotMuchLater) {
  BootTimer timer = BootTimer::create().value();
  EXPECT_FALSE(is_readable(timer.handle()).value()) << "it was not set";
  for (const milliseconds delay : {milliseconds(30), milliseconds(300), milliseconds(1300)}) {
    const BootTime moment = RealClock().boot() + delay;
    ASSERT_TRUE(timer.set(moment));
    EXPECT_LT(lateness(timer, moment), milliseconds(900)) << delay.count();
  }
}

TEST(BootTimerContract, APastMomentIsDueAtOnce) {
  BootTimer timer = BootTimer::create().value();
  ASSERT_TRUE(timer.set(RealClock().boot() - seconds(1)));
  EXPECT_TRUE(wait_readable({&timer.handle()}, seconds(20)).value());
}

TEST(BootTimerContract, OneThatIsSetAnewIsQuietAgain) {
  BootTimer timer = BootTimer::create().value();
  ASSERT_TRUE(timer.set(RealClock().boot()));
  EXPECT_TRUE(wait_readable({&timer.handle()}, seconds(20)).value());
  ASSERT_TRUE(timer.set(RealClock().boot() + std::chrono::hours(1)));
  EXPECT_FALSE(is_readable(timer.handle()).value());
  ASSERT_TRUE(timer.set(std::nullopt));
  EXPECT_FALSE(wait_readable({&timer.handle()}, milliseconds(30)).value());
}

}  // namespace
}  // namespace holdfast::os
