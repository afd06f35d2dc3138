// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/force.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lock/grant/identity.h"
#include "lock/ledger/layout.h"
#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "proc/identity/process_fixture.h"
#include "testing/temp_dir.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;
using proc::WaitingChild;

ProcessIdentity identity_of(os::Pid pid) {
  return to_record(proc::identity_of(pid).value().value());
}

bool lives(os::Pid pid) {
  const auto pin = os::open_pidfd(pid);
  return pin && *pin && !os::has_ended(**pin).value();
}

void ignore_term() { ::signal(SIGTERM, SIG_IGN); }

TEST(EndKeeper, EndsTheProcessThatTheRecordNames) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const WaitingChild polite;
  const WaitingChild deaf(ignore_term);
  const WaitingChild stopped;
  ::kill(os::number(stopped.pid()), SIGSTOP);
  for (const WaitingChild* keeper : {&polite, &deaf, &stopped}) {
    LockRecord record;
    record.keeper = identity_of(keeper->pid());
    EXPECT_TRUE(end_keeper(record, 2s).value());
    EXPECT_FALSE(lives(keeper->pid()));
    EXPECT_TRUE(end_keeper(record, 2s).value()) << "gone already";
  }
}

TEST(EndKeeper, ANumberThatWentToAnotherIsNotTouched) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const WaitingChild stranger;
  LockRecord record;
  record.keeper = identity_of(stranger.pid());
  record.keeper.start -= 1;
  record.keeper.pidfs = record.keeper.pidfs == 0 ? 0 : record.keeper.pidfs + 1;
  EXPECT_TRUE(end_keeper(record, 100ms).value()) << "the one that is meant has ended";
  EXPECT_TRUE(lives(stranger.pid()));
}

TEST(EndKeeper, WhoCannotBeJudgedIsNotTouched) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const WaitingChild keeper;
  LockRecord record;
  record.keeper = identity_of(keeper.pid());
  record.keeper.pidns = 0;
  EXPECT_FALSE(end_keeper(record, 100ms).value());
  EXPECT_TRUE(lives(keeper.pid()));
}

// A wrapper that is a subreaper, its work, and below that a daemon that has left its parent.
class Holder {
 public:
  Holder() {
    if (::pipe(ends_) != 0 || ::pipe(life_) != 0) ::abort();
    wrapper_ = ::fork();
    if (wrapper_ == 0) {
      ::close(life_[1]);
      ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
      ignore_term();  // a stubborn tree: all of them inherit it
      if (::fork() == 0) be_work();
      wait_for_ever();
    }
    for (pid_t* pid : {&work_, &daemon_}) {
      if (::read(ends_[0], pid, sizeof *pid) != sizeof *pid) ::abort();
    }
  }
  ~Holder() {
    ::kill(wrapper_, SIGKILL);
    ::waitpid(wrapper_, nullptr, 0);
    for (const int end : {ends_[0], ends_[1], life_[0], life_[1]}) ::close(end);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  [[nodiscard]] LockRecord record() const {
    LockRecord record;
    record.binding = LockBinding::kExec;
    record.work = identity_of(work());
    record.keeper = identity_of(wrapper());
    return record;
  }
  [[nodiscard]] os::Pid wrapper() const { return os::Pid{wrapper_}; }
  [[nodiscard]] os::Pid work() const { return os::Pid{work_}; }
  [[nodiscard]] os::Pid daemon() const { return os::Pid{daemon_}; }

 private:
  // Until the test is over, whoever killed whose parent meanwhile.
  [[noreturn]] void wait_for_ever() const {
    ::alarm(60);
    char nothing = 0;
    while (::read(life_[0], &nothing, 1) < 0) {
    }
    ::_exit(0);
  }
  // Tells its number and the daemon's once the daemon's parent has ended.
  [[noreturn]] void be_work() {
    int pass[2];
    if (::pipe(pass) != 0) ::_exit(52);
    if (::fork() == 0) {
      const pid_t daemon = ::fork();
      if (daemon == 0) {
        ::setsid();
        wait_for_ever();
      }
      ::_exit(::write(pass[1], &daemon, sizeof daemon) == sizeof daemon ? 0 : 53);
    }
    pid_t daemon = -1;
    if (::read(pass[0], &daemon, sizeof daemon) != sizeof daemon) ::_exit(54);
    ::wait(nullptr);
    tell(::getpid());
    tell(daemon);
    wait_for_ever();
  }
  void tell(pid_t pid) const {
    if (::write(ends_[1], &pid, sizeof pid) != sizeof pid) ::_exit(51);
  }

  int ends_[2] = {-1, -1};
  int life_[2]{};
  pid_t wrapper_ = -1;
  pid_t work_ = -1;
  pid_t daemon_ = -1;
};

TEST(KillHolder, EndsWorkWrapperAndTheDaemonThatLeftItsParent) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Holder holder;
  const WaitingChild stranger;
  const auto outcome = kill_holder(holder.record(), 20ms);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->survivors.empty()) << outcome->survivors.front();
  EXPECT_EQ(outcome->killed, 3U);
  for (const os::Pid pid : {holder.wrapper(), holder.work(), holder.daemon()})
    EXPECT_FALSE(lives(pid));
  EXPECT_TRUE(lives(stranger.pid()));
}

TEST(KillHolder, AStoppedWrapperIsNoObstacle) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Holder holder;
  ::kill(os::number(holder.wrapper()), SIGSTOP);
  const auto outcome = kill_holder(holder.record(), 20ms);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->survivors.empty());
  EXPECT_FALSE(lives(holder.daemon()));
  EXPECT_FALSE(lives(holder.wrapper()));
}

TEST(KillHolder, NobodyIsSignalledWhereOneOfTheTwoCannotBeJudged) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Holder holder;
  for (ProcessIdentity LockRecord::* which : {&LockRecord::work, &LockRecord::keeper}) {
    LockRecord record = holder.record();
    (record.*which).pidns = 0;  // not told, so nobody can look for it
    const auto outcome = kill_holder(record, 20ms);
    ASSERT_TRUE(outcome);
    ASSERT_EQ(outcome->survivors.size(), 1U);
    EXPECT_EQ(outcome->survivors[0],
              std::to_string((record.*which).pid) + " (other-pid-namespace)");
    EXPECT_EQ(outcome->killed, 0U);
  }
  for (const os::Pid pid : {holder.wrapper(), holder.work(), holder.daemon()})
    EXPECT_TRUE(lives(pid));
}

TEST(KillHolder, WhoIsDeadAlreadyIsNoFailure) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  WaitingChild gone;
  LockRecord record;
  record.work = record.keeper = identity_of(gone.pid());
  gone.kill();
  gone.reap();
  const auto outcome = kill_holder(record, 20ms);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->killed, 0U);
  EXPECT_TRUE(outcome->survivors.empty());
}

TEST(KillHolder, TheCallersOwnTreeIsLeftAlone) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const pid_t above = ::fork();
  if (above == 0) {
    ::_exit(proc::in_child([] {
      LockRecord record;
      record.work = record.keeper = identity_of(os::Pid{::getppid()});
      const auto outcome = kill_holder(record, 20ms);
      if (!outcome || outcome->killed != 0 || outcome->survivors.size() != 1) return 1;
      return outcome->survivors[0].find("the caller itself") != std::string::npos ? 0 : 2;
    }));
  }
  int status = 0;
  ::waitpid(above, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

class ReplaceSidecar : public ::testing::Test {
 protected:
  Seat open_seat() {
    Seat seat{.place = file_place(home_.path("notes")).value()};
    EXPECT_TRUE(seat.open(fences_, clock_));
    return seat;
  }
  static std::uint64_t seq_of(const Seat& seat) { return seat.ledger->read().value().record.seq; }

  testing::TempDir home_;
  FenceHome fences_{home_.dir()};
  os::RealClock clock_;
};

TEST_F(ReplaceSidecar, TheNameLeadsToANewFileThatTheSeatHolds) {
  const Seat holder = open_seat();
  ASSERT_TRUE(holder.take_life(0, os::Share::kExclusive).value());
  Seat seat = open_seat();
  const os::FileId before = *seat.sidecar_id;
  {
    const auto guard = replace_sidecar(seat, seq_of(seat));
    ASSERT_TRUE(guard);
    ASSERT_TRUE(*guard);
    EXPECT_TRUE(os::is_byte_taken(holder.ledger->file(), kGuardByte, os::Share::kExclusive).value())
        << "GUARD is the caller's";
  }
  EXPECT_NE(*seat.sidecar_id, before);
  EXPECT_TRUE(seat.is_named().value());
  EXPECT_FALSE(holder.is_named().value());
  const Seat next = open_seat();
  EXPECT_EQ(*next.sidecar_id, *seat.sidecar_id);
  EXPECT_FALSE(next.take_life(0, os::Share::kExclusive).value());
  EXPECT_EQ(seat.sidecar->info().value().links, 1U);
}

TEST_F(ReplaceSidecar, OfTwoThatReplaceAtOnceTheSecondFindsThatItIsDone) {
  Seat first = open_seat();
  Seat second = open_seat();
  const std::uint64_t seen = seq_of(first);
  ASSERT_TRUE(replace_sidecar(first, seen).value());
  const auto late = replace_sidecar(second, seen);
  ASSERT_TRUE(late);
  EXPECT_FALSE(*late);
  EXPECT_TRUE(first.is_named().value());
}

TEST_F(ReplaceSidecar, ALockThatCameIntoOtherHandsIsLeftAlone) {
  Seat seat = open_seat();
  const std::uint64_t seen = seq_of(seat);
  {
    Seat other = open_seat();
    const Guard guard = other.ledger->guard().value();
    NewestRecord now = other.ledger->read(guard).value();
    const LockRecord same = now.record;
    ASSERT_TRUE(other.ledger->write(guard, now, same));
  }
  const auto late = replace_sidecar(seat, seen);
  ASSERT_TRUE(late);
  EXPECT_FALSE(*late);
  EXPECT_TRUE(seat.is_named().value());
  std::size_t stages = 0;
  ASSERT_TRUE(home_.dir().each_entry([&](std::string_view name, os::FileType) {
    stages += name.starts_with(".hf-stage") ? 1U : 0U;
    return os::Visit::kContinue;
  }));
  EXPECT_EQ(stages, 0U);
}

}  // namespace
}  // namespace holdfast::lock
