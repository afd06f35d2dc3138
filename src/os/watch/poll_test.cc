// SPDX-License-Identifier: Apache-2.0
#include "os/watch/poll.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "os/machine/real_clock.h"
#include "os/stream/pipe.h"
#include "os/watch/boot_timer.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;

class Poll : public ::testing::Test {
 protected:
  static void make_readable(const Pipe& pipe) {
    ASSERT_EQ(::write(static_cast<int>(pipe.write_end.get()), "x", 1), 1);
  }
  // A handle that becomes readable after `delay`.
  static BootTimer due_in(milliseconds delay) {
    BootTimer timer = BootTimer::create().value();
    EXPECT_TRUE(timer.set(RealClock().boot() + delay));
    return timer;
  }
  Pipe quiet_ = make_pipe().value();
};

TEST_F(Poll, WhatIsReadableOrHungUpIsSeenAndQuietIsNot) {
  EXPECT_FALSE(is_readable(quiet_.read_end).value());
  const Pipe full = make_pipe().value();
  make_readable(full);
  EXPECT_TRUE(is_readable(full.read_end).value());
  EXPECT_TRUE(wait_readable({&quiet_.read_end, &full.read_end}, std::nullopt).value());
  quiet_.write_end.reset();
  EXPECT_TRUE(is_readable(quiet_.read_end).value()) << "a hang-up reads as the end";
}

TEST_F(Poll, APipeHangsUpWithItsLastWriterReadOrNot) {
  for (const bool unread : {false, true}) {
    Pipe pipe = make_pipe().value();
    Handle other(::dup(static_cast<int>(pipe.write_end.get())));
    if (unread) make_readable(pipe);
    EXPECT_FALSE(is_hung_up(pipe.read_end).value());
    pipe.write_end.reset();
    EXPECT_FALSE(is_hung_up(pipe.read_end).value()) << "there is another writer";
    other.reset();
    EXPECT_TRUE(is_hung_up(pipe.read_end).value()) << unread;
  }
}

TEST_F(Poll, NullAndEmptyHandlesAreLeftOut) {
  const Handle empty;
  EXPECT_FALSE(wait_readable({nullptr, &empty, &quiet_.read_end}, milliseconds(1)).value());
}

TEST_F(Poll, TheLimitIsNeitherShorterNorEndless) {
  const MonoTime before = RealClock().mono();
  EXPECT_FALSE(wait_readable({&quiet_.read_end}, milliseconds(30)).value());
  EXPECT_GE(RealClock().mono() - before, milliseconds(30));
  EXPECT_FALSE(wait_readable({&quiet_.read_end}, milliseconds(-5)).value());
}

TEST_F(Poll, AnEnormousLimitDoesNotWrap) {
  for (const milliseconds limit : {milliseconds((std::int64_t{1} << 32U) + 50),
                                   milliseconds(std::int64_t{1} << 31U), milliseconds::max()}) {
    const BootTimer timer = due_in(milliseconds(150));
    EXPECT_TRUE(wait_readable({&quiet_.read_end, &timer.handle()}, limit).value())
        << "it ended before anything was readable: " << limit.count();
  }
}

TEST_F(Poll, ManyHandlesAreAllWatched) {
  const Pipe full = make_pipe().value();
  make_readable(full);
  const Handle* const q = &quiet_.read_end;
  EXPECT_TRUE(
      wait_readable({q, q, q, q, q, q, q, q, q, q, q, &full.read_end}, milliseconds(0)).value());
}

// Signals that never cease.
class Interrupting final : public testing::CallHook {
 public:
  static constexpr int kCap = 2'000'000;  // so that a wait that starts afresh each time ends, too
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name != "poll" || ++polls > kCap) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = EINTR};
  }
  int polls = 0;
};

TEST_F(Poll, InterruptionsDoNotProlongTheLimit) {
  Interrupting signals;
  const testing::ScopedCallHook hook(signals);
  EXPECT_FALSE(wait_readable({&quiet_.read_end}, milliseconds(30)).value());
  EXPECT_LT(signals.polls, Interrupting::kCap);
}

TEST_F(Poll, AClockThatFailsIsAnErrorAndNotALimitThatPassed) {
  const testing::MissingCalls missing{{"clock_gettime", EPERM}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_FALSE(wait_readable({&quiet_.read_end}, milliseconds(5)).has_value());
  EXPECT_TRUE(is_readable(quiet_.read_end).has_value()) << "a look needs no clock";
}

using std::chrono::milliseconds;

constexpr auto kFarAway = std::chrono::hours(24);

class BootTimerTest : public ::testing::Test {
 protected:
  [[nodiscard]] bool is_due() const { return is_readable(timer_.handle()).value(); }
  [[nodiscard]] BootTime now() const { return clock_.boot(); }

  RealClock clock_;
  BootTimer timer_ = BootTimer::create().value();
};

TEST_F(BootTimerTest, OneThatWasNeverSetIsNeverDue) { EXPECT_FALSE(is_due()); }

TEST_F(BootTimerTest, ItIsDueFromItsMomentOnAndStaysSo) {
  const BootTime moment = now() + milliseconds(30);
  ASSERT_TRUE(timer_.set(moment));
  EXPECT_TRUE(wait_readable({&timer_.handle()}, milliseconds(10'000)).value());
  EXPECT_GE(now(), moment);
  EXPECT_TRUE(is_due());
}

TEST_F(BootTimerTest, AMomentInThePastIsDueAtOnceEvenTheFirstOfAll) {
  for (const BootTime moment : {now() - milliseconds(1), BootTime{}, BootTime(-kFarAway)}) {
    ASSERT_TRUE(timer_.set(moment));
    EXPECT_TRUE(wait_readable({&timer_.handle()}, milliseconds(1'000)).value());
  }
}

TEST_F(BootTimerTest, SettingItAgainMakesItUnreadableUntilThen) {
  ASSERT_TRUE(timer_.set(BootTime{}));
  ASSERT_TRUE(wait_readable({&timer_.handle()}, milliseconds(1'000)).value());
  ASSERT_TRUE(timer_.set(now() + kFarAway));
  EXPECT_FALSE(is_due());
  ASSERT_TRUE(timer_.set(BootTime{}));
  ASSERT_TRUE(wait_readable({&timer_.handle()}, milliseconds(1'000)).value());
  ASSERT_TRUE(timer_.set(std::nullopt));
  EXPECT_FALSE(is_due()) << "never";
}

TEST_F(BootTimerTest, TheLastMomentThatFitsIsFarAwayAndNotInThePast) {
  ASSERT_TRUE(timer_.set(BootTime::max()));
  EXPECT_FALSE(is_due());
}

}  // namespace
}  // namespace holdfast::os
