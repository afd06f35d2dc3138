// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/foreign.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lock/ledger/seat.h"
#include "os/machine/machine_id.h"
#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "proc/identity/process_fixture.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;
using Kind = ForeignClaim::Kind;
using proc::WaitingChild;

class Foreign : public ::testing::Test {
 protected:
  Foreign() {
    EXPECT_TRUE(seat_.open(fences_, clock_));
    path_ = home_.path(".notes.lock");
  }
  void write(const std::string& text) const {
    const int fd = ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    ASSERT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(fd);
  }
  void set_age(std::int64_t seconds) const {
    timespec times[2]{};
    ::clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= seconds;
    times[1] = times[0];
    ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  }
  [[nodiscard]] ForeignClaim judge() const {
    return judge_foreign_claim(*seat_.sidecar, clock_).value();
  }
  static std::string text_of(os::Pid pid) { return std::to_string(os::number(pid)); }

  testing::TempDir home_;
  FenceHome fences_{home_.dir()};
  os::RealClock clock_;
  Seat seat_{.place = file_place(home_.path("notes")).value()};
  std::string path_;
};

TEST_F(Foreign, AnEmptyOrUnrelatedFileClaimsNothing) {
  EXPECT_EQ(judge().kind, Kind::kNone);
  write("\n");
  EXPECT_EQ(judge().kind, Kind::kNone);
  write("these are notes");
  EXPECT_EQ(judge().kind, Kind::kNone);
  write(std::string(20'000, '1'));
  EXPECT_EQ(judge().kind, Kind::kNone);
}

TEST_F(Foreign, ALiveNumberIsWaitedForThroughItsPidfd) {
  WaitingChild holder;
  for (const std::string& text :
       {text_of(holder.pid()) + "\n", "{\"pid\":" + text_of(holder.pid()) + "}",
        text_of(holder.pid()) + "\n" + os::host_name() + "\n"}) {
    write(text);
    const ForeignClaim claim = judge();
    ASSERT_EQ(claim.kind, Kind::kLive) << text;
    EXPECT_EQ(claim.holder.pid, os::number(holder.pid()));
    EXPECT_TRUE(claim.holder.foreign);
    EXPECT_FALSE(os::has_ended(claim.pidfd).value());
  }
  const ForeignClaim claim = judge();
  holder.kill();
  holder.wait_for_end();
  EXPECT_TRUE(os::has_ended(claim.pidfd).value());
  EXPECT_EQ(judge().kind, Kind::kDead) << "also while nobody has reaped it";
  holder.reap();
  EXPECT_EQ(judge().kind, Kind::kDead);
}

TEST_F(Foreign, AProcessThatStartedAfterTheFileWasWrittenIsAnother) {
  const WaitingChild stranger;
  write(text_of(stranger.pid()));
  set_age(60);
  EXPECT_EQ(judge().kind, Kind::kDead);
  EXPECT_EQ(judge().holder.evidence, "recycled");
  set_age(0);
  EXPECT_EQ(judge().kind, Kind::kLive);
}

TEST_F(Foreign, WhatCountsElsewhereOrNamesNobodyIsUnknown) {
  write("{\"pid\":1,\"hostname\":\"not-" + os::host_name() + "\"}");
  EXPECT_EQ(judge().kind, Kind::kUnknown);
  EXPECT_EQ(judge().holder.evidence, "other-host");
  write("{\"pid\":-1}");
  EXPECT_EQ(judge().kind, Kind::kUnknown);
}

TEST_F(Foreign, TheRecordOfAnotherToolIsNeverChanged) {
  const WaitingChild stranger;
  const std::string text = text_of(stranger.pid()) + "\n";
  write(text);
  set_age(60);
  EXPECT_EQ(judge().kind, Kind::kDead);
  EXPECT_EQ(seat_.sidecar->read_at(0, 100).value(), text);
}

// Takes the flock in a process of its own.
WaitingChild flocking(const std::string& path) {
  return WaitingChild([path] {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (::flock(fd, LOCK_EX) != 0) ::_exit(50);
  });
}

TEST_F(Foreign, TheHolderOfTheFlockIsNamed) {
  EXPECT_FALSE(foreign_holder(*seat_.sidecar).pid);
  const WaitingChild holder = flocking(path_);
  const HolderView view = foreign_holder(*seat_.sidecar);
  if (!view.pid) GTEST_SKIP() << "this file system hides its locks from /proc/locks";
  EXPECT_EQ(view.pid, os::number(holder.pid()));
  EXPECT_TRUE(view.foreign);
  EXPECT_NE(view.command.find("hf_lock_test"), std::string::npos) << view.command;
}

TEST_F(Foreign, TheSameHolderIsSeenLongerByEachWhoLooks) {
  testing::ManualClock clock;
  EXPECT_FALSE(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock).value());
  const WaitingChild holder = flocking(path_);
  if (!foreign_holder(*seat_.sidecar).pid) GTEST_SKIP() << "/proc/locks does not name it";
  EXPECT_EQ(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock).value(), 0s);
  clock.advance(30s);
  EXPECT_EQ(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock).value(), 30s);
  Seat later{.place = file_place(home_.path("notes")).value()};
  ASSERT_TRUE(later.open(fences_, clock));
  clock.suspend(30s);
  EXPECT_EQ(foreign_seen_for(*later.ledger, *later.sidecar, clock).value(), 60s);
}

TEST_F(Foreign, AnotherHolderOrAGrantInBetweenBeginsAnew) {
  testing::ManualClock clock;
  {
    const WaitingChild first = flocking(path_);
    if (!foreign_holder(*seat_.sidecar).pid) GTEST_SKIP() << "/proc/locks does not name it";
    ASSERT_TRUE(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock));
  }
  clock.advance(30s);
  const WaitingChild second = flocking(path_);
  EXPECT_EQ(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock).value(), 0s);
  clock.advance(30s);
  EXPECT_EQ(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock).value(), 30s);
  {
    const Guard guard = seat_.ledger->guard().value();
    NewestRecord now = seat_.ledger->read(guard).value();
    LockRecord next = now.record;
    next.generation += 1;
    ASSERT_TRUE(seat_.ledger->write(guard, now, next));
  }
  EXPECT_EQ(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock).value(), 0s);
}

TEST_F(Foreign, ADamagedObservationBeginsAnew) {
  testing::ManualClock clock;
  const WaitingChild holder = flocking(path_);
  if (!foreign_holder(*seat_.sidecar).pid) GTEST_SKIP() << "/proc/locks does not name it";
  ASSERT_TRUE(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock));
  clock.advance(30s);
  ASSERT_TRUE(seat_.ledger->file().write_at(kForeignSeenOffset + 100, "x"));
  EXPECT_EQ(foreign_seen_for(*seat_.ledger, *seat_.sidecar, clock).value(), 0s);
}

}  // namespace
}  // namespace holdfast::lock
