// SPDX-License-Identifier: Apache-2.0
//
// What others may do to a lock while it is used.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/time.h>

#include <array>
#include <filesystem>
#include <functional>
#include <thread>
#include <utility>

#include "lock/grant/fork_fixture.h"
#include "lock/grant/identity.h"
#include "lock/ledger/layout.h"
#include "lock/ledger/status.h"
#include "os/lock/byte_lock.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

class LockHazards : public LockFixture {};

TEST_F(LockHazards, AProcessStoppedInTheGuardCostsOthersASecondAndIsNamed) {
  ASSERT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);  // and released: the ledger is there
  Signpost inside;
  const pid_t stuck = child([&] {
    const auto ledger = Ledger::open(place());
    const auto guard = (*ledger)->guard();
    if (guard) inside.put();
    ::raise(SIGSTOP);
  });
  inside.await();
  const auto outcome = seat()->acquire({.wait = 10s});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kBusy);
  EXPECT_EQ(outcome.error().cause, "guard-timeout");
  EXPECT_NE(outcome.error().detail.find(std::to_string(stuck)), std::string::npos)
      << outcome.error().detail;
  kill_and_reap(stuck);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
}

TEST_F(LockHazards, AContenderStoppedBetweenLifeAndGuardIsPassedBy) {
  ASSERT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
  const std::uint64_t epoch = record().epoch;
  Signpost there;
  const pid_t stopped = child([&] {
    const auto ledger = Ledger::open(place());
    const auto life = os::try_lock_byte((*ledger)->file(), life_byte(epoch), os::Share::kExclusive);
    if (life && *life) there.put();
    ::raise(SIGSTOP);
  });
  there.await();
  const auto lock = seat();
  EXPECT_EQ(kind_of(lock->acquire({.wait = 30s})), Kind::kGranted);
  EXPECT_EQ(record().epoch, epoch + 1);
  kill_and_reap(stopped);
}

TEST_F(LockHazards, AStoppedKeeperOfADeadOwnerIsPassedBy) {
  const pid_t owner = child([] { ::pause(); });
  const auto identity = proc::identity_of(os::Pid{owner});
  ASSERT_TRUE(identity && *identity);
  Signpost there;
  const pid_t keeper = child([&] {
    const auto lock = seat();
    AcquireRequest request{.binding = LockBinding::kOwner};
    request.work = to_record(**identity);
    if (kind_of(lock->acquire(request)) == Kind::kGranted) there.put();
    ::raise(SIGSTOP);
  });
  there.await();
  EXPECT_EQ(kind_of(seat()->acquire({.wait = 300ms})), Kind::kBusy);  // its owner lives
  kill_and_reap(owner);
  const auto outcome = seat()->acquire({.wait = 30s});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kDead);
  kill_and_reap(keeper);
}

TEST_F(LockHazards, AHolderIsToldThatItsLedgerWasReplacedAndIfItAsksThatItWasMovedAway) {
  const std::string path = tmp_.path("deploy.lock");
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  std::filesystem::copy_file(path, tmp_.path("copy"));
  ASSERT_EQ(::rename(tmp_.path("copy").c_str(), path.c_str()), 0);
  EXPECT_EQ(holder->check().value(), Owned::kLost);
  EXPECT_EQ(holder->release().value(), Owned::kLost);

  ASSERT_EQ(::unlink(path.c_str()), 0);
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  ASSERT_EQ(::rename(path.c_str(), tmp_.path("away").c_str()), 0);
  EXPECT_EQ(holder->check().value(), Owned::kLost);
  EXPECT_EQ(holder->renew(Lock::Beat::kAlive).value(), Owned::kLost);
  EXPECT_EQ(holder->release().value(), Owned::kYes);  // it has a name, and whose is not asked

  // The seat does not go on with it.
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  EXPECT_EQ(holder->check().value(), Owned::kYes);
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(LockHazards, ARetiredLedgerIsLeftAndItsNameRemoved) {
  ASSERT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
  std::uint64_t before = 0;
  {
    auto ledger = Ledger::open(place());
    auto guard = (*ledger)->guard();
    auto now = (*ledger)->read(*guard);
    before = now->record.generation;
    LockRecord retired = now->record;
    retired.state = LockState::kRetired;
    ASSERT_TRUE((*ledger)->write(*guard, *now, retired));  // and its writer dies here
  }
  const auto lock = seat();
  EXPECT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  EXPECT_GT(lock->grant()->fence, before);
  EXPECT_EQ(lock->check().value(), Owned::kYes);
}

// A handler that restarts calls, as a language runtime installs it, and a signal every millisecond.
TEST_F(LockHazards, AStormOfSignalsNeitherEndsNorLengthensAWait) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  const pid_t waiter = child([&] {
    struct sigaction action{};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGALRM, &action, nullptr);
    const itimerval every{.it_interval = {.tv_sec = 0, .tv_usec = 1000},
                          .it_value = {.tv_sec = 0, .tv_usec = 1000}};
    ::setitimer(ITIMER_REAL, &every, nullptr);
    const auto begun = clock_.mono();
    const auto outcome = seat()->acquire({.wait = 300ms});
    const auto took = clock_.mono() - begun;
    ::_exit(outcome && outcome->kind == Kind::kBusy && took >= 300ms ? 0 : 1);
  });
  EXPECT_EQ(wait_for(waiter), 0);
}

// Does something once, when the kernel is asked about a lock.
class OnceAtALock final : public testing::CallHook {
 public:
  explicit OnceAtALock(std::function<void()> what) : what_(std::move(what)) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name == "ofd_lock" && what_) std::exchange(what_, nullptr)();
    return {};
  }
  [[nodiscard]] bool done() const { return !what_; }

 private:
  std::function<void()> what_;
};

TEST_F(LockHazards, AReleaseBetweenTwoLooksIsFreeAndNotStale) {
  const Signpost held;
  const Signpost go;
  const pid_t holder = child([&] {
    const auto lock = seat();
    if (kind_of(lock->acquire({})) != Kind::kGranted) ::_exit(1);
    held.put();
    go.await();
    const auto released = lock->release();
    if (!released || *released != Owned::kYes) ::_exit(1);
  });
  held.await();
  // The record was read, and says held; now its holder ends as it should.
  OnceAtALock ends([&] {
    go.put();
    EXPECT_EQ(wait_for(holder), 0);
  });
  const testing::ScopedCallHook hook(ends);
  const auto seen = look_at_lock(place(), clock_);
  ASSERT_TRUE(seen) << to_sentence(seen.error());
  EXPECT_TRUE(ends.done());
  EXPECT_EQ(seen->state, Visible::kFree) << seen->evidence;
}

TEST_F(LockHazards, AHeldLedgerIsPinnedAgainstCleaners) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  const int fd = ::open(tmp_.path("deploy.lock").c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(::flock(fd, LOCK_EX | LOCK_NB), -1);  // what systemd-tmpfiles tries before it removes
  ::close(fd);
}

TEST_F(LockHazards, AnotherDescriptorOfTheLedgerMayCloseWithoutHarm) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  ::close(::open(tmp_.path("deploy.lock").c_str(), O_RDWR));
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);
}

TEST_F(LockHazards, ALoserThatTruncatesTheSidecarLosesNothing) {
  ASSERT_EQ(::close(::open(tmp_.path("config").c_str(), O_CREAT | O_WRONLY, 0600)), 0);
  const auto holder = seat_of_file(tmp_.path("config"));
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  ::close(
      ::open(tmp_.path(".config.lock").c_str(), O_WRONLY | O_TRUNC));  // flock -n 9>.config.lock
  EXPECT_EQ(holder->check().value(), Owned::kYes);
  EXPECT_EQ(kind_of(seat_of_file(tmp_.path("config"))->acquire({})), Kind::kBusy);
}

TEST_F(LockHazards, AReaderWhoseWrapperDiedKeepsWritersOutAsLongAsItsWorkLives) {
  const pid_t work = child([] { ::pause(); });
  const auto identity = proc::identity_of(os::Pid{work});
  ASSERT_TRUE(identity && *identity);
  const pid_t wrapper = child([&] {
    const auto lock = seat();
    AcquireRequest request{.mode = LockMode::kShared};
    request.work = ProcessIdentity{.boot = (*identity)->boot,
                                   .machine = (*identity)->machine,
                                   .pidns = (*identity)->pidns,
                                   .timens = (*identity)->timens,
                                   .pid = work,
                                   .start = (*identity)->start,
                                   .pidfs = (*identity)->pidfs};
    ::_exit(kind_of(lock->acquire(request)) == Kind::kGranted ? 0 : 1);
  });
  ASSERT_EQ(wait_for(wrapper), 0);
  // Another reader comes and goes: its release must not say that nobody reads.
  const auto reader = seat();
  ASSERT_EQ(kind_of(reader->acquire({.mode = LockMode::kShared})), Kind::kGranted);
  ASSERT_EQ(reader->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);
  kill_and_reap(work);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
}

TEST_F(LockHazards, AReaderDoesNotJoinAHoldOfAnotherBoot) {
  const auto own = proc::own_identity();
  ASSERT_TRUE(own);
  AcquireRequest request{.mode = LockMode::kShared};
  request.work = to_record(*own);
  request.work->boot = {{1}};
  const auto before = seat();
  ASSERT_EQ(kind_of(before->acquire(request)), Kind::kGranted);
  const std::uint64_t fence = before->grant()->fence;
  before->leave();
  const auto reader = seat();
  const auto outcome = reader->acquire({.mode = LockMode::kShared});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kRebooted);
  EXPECT_GT(reader->grant()->fence, fence);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);
}

TEST_F(LockHazards, ADamagedNewestRecordLetsNobodyPassALiveHolderBy) {
  const auto reader = seat();
  ASSERT_EQ(kind_of(reader->acquire({.mode = LockMode::kShared})), Kind::kGranted);
  {
    auto ledger = Ledger::open(place());
    const int newest = (*ledger)->read()->slot;
    const std::uint64_t at = kRecordOffset + static_cast<std::uint64_t>(newest) * kRecordBytes;
    ASSERT_TRUE((*ledger)->file().write_at(at + 100, "damage"));
  }
  EXPECT_EQ(kind_of(seat()->acquire({.wait = 500ms})), Kind::kBusy);
}

TEST_F(LockHazards, ALeaseOfCenturiesIsNotOverAtBirth) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({.ttl = Duration::max(), .yields = LockYields::kTake})),
            Kind::kGranted);
  EXPECT_EQ(kind_of(seat()->acquire({.wait = 10ms, .on_expired = OnExpired::kTake})), Kind::kBusy);
  EXPECT_EQ(kind_of(seat()->acquire({.wait = 10ms})), Kind::kBusy);
}

// Killed inside GUARD, a wrapper must not leave it with the command that has inherited life.
TEST_F(LockHazards, WhatAChildInheritsCarriesNoGuard) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({.binding = LockBinding::kExec})), Kind::kGranted);
  EXPECT_NE(lock->life(), lock->not_for_children());
  Signpost inside;
  int life[2]{};  // the command's own: it ends when the test is over
  ASSERT_EQ(::pipe(life), 0);
  const pid_t wrapper = child([&] {
    ::close(life[1]);
    const auto mine = seat("other");
    if (kind_of(mine->acquire({.binding = LockBinding::kExec})) != Kind::kGranted) ::_exit(1);
    const pid_t command = fork();
    if (command == 0) {
      ::close(static_cast<int>(mine->not_for_children()));  // as exec does
      ::alarm(60);
      char nothing = 0;
      ::_exit(::read(life[0], &nothing, 1) == 0 ? 0 : 1);
    }
    auto ledger = Ledger::open(place("other"));
    inside.put();
    ::pause();
  });
  inside.await();
  kill_and_reap(wrapper);
  const auto other = Ledger::open(place("other"));
  EXPECT_TRUE((*other)->guard(10ms));
  EXPECT_EQ(kind_of(seat("other")->acquire({})), Kind::kBusy);  // the command has life
  ::close(life[0]);
  ::close(life[1]);
}

TEST_F(LockHazards, SixtyFourDeadReadersLeaveRoomForANewOne) {
  for (std::size_t i = 0; i < kReaderSlots; ++i) {
    const pid_t reader = child([&] {
      const auto lock = seat();
      ::_exit(kind_of(lock->acquire({.mode = LockMode::kShared})) == Kind::kGranted ? 0 : 1);
    });
    ASSERT_EQ(wait_for(reader), 0);
  }
  EXPECT_EQ(kind_of(seat()->acquire({.mode = LockMode::kShared})), Kind::kGranted);
}

TEST_F(LockHazards, HundredsOfThreadsOfOneProcessCostOneKernelWait) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  constexpr std::size_t kThreads = 300;
  std::atomic<std::size_t> begun{0};
  std::atomic<std::size_t> cancelled{0};
  os::Flag cancel;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const auto mine = seat();
      ++begun;
      const auto outcome = mine->acquire({.wait = std::nullopt, .cancel = &cancel});
      cancelled += outcome && outcome->kind == Kind::kCancelled ? 1 : 0;
    });
  }
  while (begun.load() < kThreads) std::this_thread::yield();
  while (look_at_lock(place(), clock_)->waiters.empty()) std::this_thread::yield();
  EXPECT_EQ(look_at_lock(place(), clock_)->waiters.size(), 1U);  // one kernel wait for all
  cancel.raise();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(cancelled.load(), kThreads);
}

}  // namespace
}  // namespace holdfast::lock
