// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "lock/grant/by_token.h"
#include "lock/grant/fork_fixture.h"
#include "lock/ledger/status.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

class LocalLockTest : public LockFixture {};

TEST_F(LocalLockTest, TwoSeatsNeverHoldOneLock) {
  const auto one = seat();
  const auto other = seat();
  EXPECT_EQ(kind_of(one->acquire({})), Kind::kGranted);
  const auto refused = other->acquire({});
  EXPECT_EQ(kind_of(refused), Kind::kBusy);
  EXPECT_EQ(refused->holder.pid, ::getpid());
  EXPECT_EQ(one->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(other->acquire({})), Kind::kGranted);
}

TEST_F(LocalLockTest, EveryGrantHasAHigherFence) {
  const auto lock = seat();
  std::uint64_t last = 0;
  for (int i = 0; i < 2500; ++i) {  // crosses two reservations of 1 024
    ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
    ASSERT_GT(lock->grant()->fence, last);
    last = lock->grant()->fence;
    ASSERT_EQ(lock->release().value(), Owned::kYes);
  }
}

TEST_F(LocalLockTest, TheFenceGoesOnAfterTheLedgerIsLost) {
  std::uint64_t before = 0;
  {
    const auto lock = seat();
    ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
    before = lock->grant()->fence;
    ASSERT_TRUE(lock->release());
  }
  ASSERT_EQ(::unlink(tmp_.path("deploy.lock").c_str()), 0);
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  EXPECT_GT(lock->grant()->fence, before);
}

TEST_F(LocalLockTest, AKilledHolderBlocksNobody) {
  Signpost held;
  const pid_t holder = child([&] {
    const auto lock = seat();
    if (kind_of(lock->acquire({})) == Kind::kGranted) held.put();
    ::pause();
  });
  held.await();
  const auto lock = seat();
  EXPECT_EQ(kind_of(lock->acquire({})), Kind::kBusy);
  ::kill(holder, SIGKILL);
  // Not reaped yet: a zombie holds nothing.
  const auto outcome = lock->acquire({.wait = 10s});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kDead);
  wait_for(holder);
  EXPECT_NE(events_.data_of("lock.recovered"), "(none)");
}

TEST_F(LocalLockTest, AWaiterIsWokenByTheRelease) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  Signpost waiting;
  std::thread waiter([&] {
    const auto mine = seat();
    waiting.put();
    EXPECT_EQ(kind_of(mine->acquire({.wait = 60s})), Kind::kGranted);
  });
  waiting.await();
  while (look_at_lock(place(), clock_)->waiters.empty()) std::this_thread::yield();
  EXPECT_EQ(lock->release().value(), Owned::kYes);
  waiter.join();
}

TEST_F(LocalLockTest, AWaitCanBeCancelledByAnotherThread) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  os::Flag cancel;
  std::thread waiter([&] {
    const auto mine = seat();
    EXPECT_EQ(kind_of(mine->acquire({.wait = std::nullopt, .cancel = &cancel})), Kind::kCancelled);
  });
  while (look_at_lock(place(), clock_)->waiters.empty()) std::this_thread::yield();
  cancel.raise();
  waiter.join();
}

TEST_F(LocalLockTest, ManyThreadsOfOneProcessWaitInOneLine) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  constexpr int kThreads = 32;
  int counter = 0;  // guarded by the lock alone
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const auto mine = seat();
      ASSERT_EQ(kind_of(mine->acquire({.wait = 60s})), Kind::kGranted);
      ++counter;
      ASSERT_EQ(mine->release().value(), Owned::kYes);
    });
  }
  while (look_at_lock(place(), clock_)->waiters.empty()) std::this_thread::yield();
  EXPECT_EQ(look_at_lock(place(), clock_)->waiters.size(), 1U);
  ASSERT_TRUE(lock->release());
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(counter, kThreads);
}

TEST_F(LocalLockTest, AFormerOwnerCannotReleaseAfterATakeOver) {
  const auto old = seat();
  ASSERT_EQ(kind_of(old->acquire({.ttl = 1ms, .yields = LockYields::kTake})), Kind::kGranted);
  const auto taker = seat();
  const auto outcome = taker->acquire({.wait = 10s, .on_expired = OnExpired::kTake});
  ASSERT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kExpired);
  EXPECT_GT(taker->grant()->fence, old->grant()->fence);
  EXPECT_EQ(old->renew(Lock::Beat::kAlive).value(), Owned::kLost);
  EXPECT_EQ(old->check().value(), Owned::kLost);
  EXPECT_EQ(old->release().value(), Owned::kLost);
  EXPECT_EQ(taker->check().value(), Owned::kYes);
  EXPECT_EQ(taker->release().value(), Owned::kYes);
}

TEST_F(LocalLockTest, AStrictLockIsNeverTaken) {
  const auto old = seat();
  ASSERT_EQ(kind_of(old->acquire({})), Kind::kGranted);
  EXPECT_EQ(kind_of(seat()->acquire({.wait = 50ms, .on_expired = OnExpired::kTake})), Kind::kBusy);
}

TEST_F(LocalLockTest, ALeaseThatDoesNotYieldIsNotTaken) {
  const auto old = seat();
  ASSERT_EQ(kind_of(old->acquire({.ttl = 1ms, .yields = LockYields::kWait})), Kind::kGranted);
  EXPECT_EQ(kind_of(seat()->acquire({.wait = 50ms, .on_expired = OnExpired::kTake})), Kind::kBusy);
}

TEST_F(LocalLockTest, WithoutAJournalNothingIsTaken) {
  const auto old = seat();
  ASSERT_EQ(kind_of(old->acquire({.ttl = 1ms, .yields = LockYields::kTake})), Kind::kGranted);
  events_.refuse();
  const auto outcome = seat()->acquire({.wait = 1s, .on_expired = OnExpired::kTake});
  EXPECT_FALSE(outcome);
  EXPECT_EQ(old->check().value(), Owned::kYes);
}

TEST_F(LocalLockTest, ReadersShareAndExcludeAWriter) {
  const auto one = seat();
  const auto two = seat();
  const auto writer = seat();
  ASSERT_EQ(kind_of(one->acquire({.mode = LockMode::kShared})), Kind::kGranted);
  ASSERT_EQ(kind_of(two->acquire({.mode = LockMode::kShared})), Kind::kGranted);
  EXPECT_EQ(one->grant()->fence, two->grant()->fence);
  EXPECT_EQ(kind_of(writer->acquire({})), Kind::kBusy);
  ASSERT_EQ(one->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(writer->acquire({})), Kind::kBusy);
  ASSERT_EQ(two->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(writer->acquire({})), Kind::kGranted);
  EXPECT_EQ(kind_of(one->acquire({.mode = LockMode::kShared})), Kind::kBusy);
}

TEST_F(LocalLockTest, TheSixtyFifthReaderIsTold) {
  std::vector<std::unique_ptr<Lock>> readers;
  for (std::size_t i = 0; i < kReaderSlots; ++i) {
    readers.push_back(seat());
    ASSERT_EQ(kind_of(readers.back()->acquire({.mode = LockMode::kShared})), Kind::kGranted);
  }
  const auto outcome = seat()->acquire({.mode = LockMode::kShared});
  EXPECT_EQ(kind_of(outcome), Kind::kBusy);
  EXPECT_EQ(outcome->busy_reason, "readers-full");
}

TEST_F(LocalLockTest, KilledReadersBlockNoWriter) {
  Signpost held;
  const pid_t reader = child([&] {
    const auto lock = seat();
    if (kind_of(lock->acquire({.mode = LockMode::kShared})) == Kind::kGranted) held.put();
    ::pause();
  });
  held.await();
  kill_and_reap(reader);
  const auto lock = seat();
  const auto outcome = lock->acquire({});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kDead);
}

TEST_F(LocalLockTest, AForkedChildIsNotTheHolder) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  const pid_t forked = child([&] {
    if (lock->release().value() != Owned::kLost) ::_exit(1);
  });
  EXPECT_EQ(wait_for(forked), 0);
  EXPECT_EQ(lock->check().value(), Owned::kYes);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);
}

TEST_F(LocalLockTest, AForkedChildThatKeepsADescriptorDoesNotOutliveTheRelease) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  const pid_t daemon = child([] { ::pause(); });
  ASSERT_EQ(lock->release().value(), Owned::kYes);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
  kill_and_reap(daemon);
}

TEST_F(LocalLockTest, LifeFreeButTheWorkAliveIsNoGrant) {
  const pid_t work = child([] { ::pause(); });
  const auto identity = proc::identity_of(os::Pid{work});
  ASSERT_TRUE(identity && *identity);
  const pid_t holder = child([&] {
    const auto lock = seat();
    AcquireRequest request;
    request.work = ProcessIdentity{.boot = (*identity)->boot,
                                   .machine = (*identity)->machine,
                                   .pidns = (*identity)->pidns,
                                   .timens = (*identity)->timens,
                                   .pid = work,
                                   .start = (*identity)->start,
                                   .pidfs = (*identity)->pidfs,
                                   .uid = (*identity)->uid};
    if (kind_of(lock->acquire(request)) == Kind::kGranted) ::_exit(7);  // without a release
  });
  EXPECT_EQ(WEXITSTATUS(wait_for(holder)), 7);
  const auto lock = seat();
  EXPECT_EQ(kind_of(lock->acquire({.wait = 100ms})), Kind::kBusy);
  EXPECT_EQ(look_at_lock(place(), clock_)->evidence, "work-lives");
  kill_and_reap(work);
  EXPECT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
}

TEST_F(LocalLockTest, AHolderOfAnotherPidNamespaceIsNeverJudgedByItsNumber) {
  const auto holder = seat();
  AcquireRequest request;
  const auto own = proc::own_identity();
  ASSERT_TRUE(own);
  request.work = ProcessIdentity{.boot = own->boot,
                                 .machine = own->machine,
                                 .pidns = 0,  // not told, so nobody can look for it
                                 .timens = own->timens,
                                 .pid = 1 << 22,  // nobody here has this number
                                 .start = 1};
  ASSERT_EQ(kind_of(holder->acquire(request)), Kind::kGranted);
  holder->leave();
  const auto outcome = seat()->acquire({});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCannotTell);
  EXPECT_EQ(look_at_lock(place(), clock_)->state, Visible::kUnknown);
}

TEST_F(LocalLockTest, AnEarlierBootOfThisMachineIsRecovered) {
  const auto own = proc::own_identity();
  ASSERT_TRUE(own);
  if (own->machine == Id128{}) GTEST_SKIP() << "this machine has no machine id";
  const auto holder = seat();
  AcquireRequest request;
  request.work = ProcessIdentity{.boot = {{1}},
                                 .machine = own->machine,
                                 .pidns = own->pidns,
                                 .timens = own->timens,
                                 .pid = ::getpid(),
                                 .start = own->start};
  ASSERT_EQ(kind_of(holder->acquire(request)), Kind::kGranted);
  const std::uint64_t before = holder->grant()->fence;
  holder->leave();
  const auto next = seat();
  const auto outcome = next->acquire({});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kRebooted);
  EXPECT_GT(next->grant()->fence, before + 1000);  // above everything that a cut may have lost
}

TEST_F(LocalLockTest, AWaiterOnADeletedLedgerGetsTheNewOne) {
  const auto first = seat();
  ASSERT_EQ(kind_of(first->acquire({})), Kind::kGranted);
  std::thread waiter([&] {
    const auto mine = seat();
    EXPECT_EQ(kind_of(mine->acquire({.wait = 60s})), Kind::kGranted);
    EXPECT_EQ(mine->check().value(), Owned::kYes);
  });
  while (look_at_lock(place(), clock_)->waiters.empty()) std::this_thread::yield();
  ASSERT_EQ(::unlink(tmp_.path("deploy.lock").c_str()), 0);
  EXPECT_EQ(first->check().value(), Owned::kLost);
  EXPECT_EQ(first->renew(Lock::Beat::kAlive).value(), Owned::kLost);
  EXPECT_EQ(first->release().value(), Owned::kLost);
  waiter.join();
}

TEST_F(LocalLockTest, ReleaseByTokenFreesALockWhoseHolderIsStopped) {
  Signpost held;
  const pid_t holder = child([&] {
    const auto lock = seat();
    if (kind_of(lock->acquire({})) == Kind::kGranted) held.put();
    ::pause();
  });
  held.await();
  ::kill(holder, SIGSTOP);
  const Id128 token = record().token;
  EXPECT_EQ(release_by_token(place(), {{1}}, clock_, &events_)->answer, TokenAnswer::kNotHolder);
  EXPECT_NE(events_.data_of("lock.release_refused"), "(none)");
  EXPECT_EQ(release_by_token(place(), token, clock_, &events_)->answer, TokenAnswer::kDone);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
  EXPECT_EQ(release_by_token(place(), token, clock_, &events_)->answer, TokenAnswer::kNotHolder);
  kill_and_reap(holder);
}

TEST_F(LocalLockTest, ASleepingWaiterIsWokenByAReleaseThatFreesNoByte) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  std::thread waiter([&] {
    const auto mine = seat();
    EXPECT_EQ(kind_of(mine->acquire({.wait = 60s})), Kind::kGranted);
  });
  while (look_at_lock(place(), clock_)->waiters.empty()) std::this_thread::yield();
  EXPECT_EQ(release_by_token(place(), holder->grant()->token, clock_, &events_)->answer,
            TokenAnswer::kDone);
  waiter.join();
  EXPECT_EQ(holder->check().value(), Owned::kLost);
}

TEST_F(LocalLockTest, BreakTakesTheIdOfThisHoldAndNoOther) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  const auto id = look_at_lock(place(), clock_)->break_id;
  ASSERT_TRUE(id);
  const FenceHome fences(tmp_.dir());
  EXPECT_EQ(break_lock(place(), fences, "0123456789abcdef", "test", clock_, &events_)->answer,
            TokenAnswer::kNotHolder);
  EXPECT_EQ(holder->check().value(), Owned::kYes);
  EXPECT_EQ(break_lock(place(), fences, *id, "test", clock_, &events_)->answer, TokenAnswer::kDone);
  EXPECT_EQ(holder->check().value(), Owned::kLost);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
  EXPECT_EQ(holder->release().value(), Owned::kLost);
}

TEST_F(LocalLockTest, ALockBoundToATtlAloneEndsWithIt) {
  const auto lock = seat();
  ASSERT_EQ(kind_of(lock->acquire({.binding = LockBinding::kTtl, .ttl = 2s})), Kind::kGranted);
  const Id128 token = lock->grant()->token;
  lock->leave();
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);
  EXPECT_EQ(renew_by_token(place(), token, Lock::Beat::kAlive, {}, clock_)->answer,
            TokenAnswer::kDone);
  const auto outcome = seat()->acquire({.wait = 10s});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kExpired);
  EXPECT_EQ(check_by_token(place(), token, clock_)->answer, TokenAnswer::kNotHolder);
}

TEST_F(LocalLockTest, ADamagedRecordIsNeverTakenForFree) {
  const auto holder = seat();
  ASSERT_EQ(kind_of(holder->acquire({})), Kind::kGranted);
  const std::uint64_t fence = holder->grant()->fence;
  {
    std::fstream file(tmp_.path("deploy.lock"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(kRecordOffset + 100);
    file.write("damage", 6);
    file.seekp(kRecordOffset + kRecordBytes + 100);
    file.write("damage", 6);
  }
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);  // the kernel says that somebody lives
  holder->leave();
  const auto outcome = seat()->acquire({});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCorrupt);
  const auto status = look_at_lock(place(), clock_);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->state, Visible::kUnknown);
  ASSERT_TRUE(status->break_id);
  const FenceHome fences(tmp_.dir());
  EXPECT_EQ(break_lock(place(), fences, *status->break_id, "damaged", clock_, &events_)->answer,
            TokenAnswer::kDone);
  const auto next = seat();
  EXPECT_EQ(kind_of(next->acquire({})), Kind::kGranted);
  EXPECT_GT(next->grant()->fence, fence);
}

TEST_F(LocalLockTest, UnsafeFilesAreRefused) {
  const auto refused = [&](const char* what) {
    const auto outcome = seat("odd")->acquire({});
    ASSERT_FALSE(outcome) << what;
    EXPECT_EQ(outcome.error().code, ErrorCode::kRefused) << what << outcome.error().detail;
    ASSERT_EQ(::unlink(tmp_.path("odd.lock").c_str()), 0);
  };
  ASSERT_EQ(::symlink("elsewhere", tmp_.path("odd.lock").c_str()), 0);
  refused("link");
  ASSERT_EQ(::mkfifo(tmp_.path("odd.lock").c_str(), 0600), 0);
  refused("fifo");
  ASSERT_EQ(kind_of(seat("odd")->acquire({})), Kind::kGranted);
  ASSERT_EQ(::chmod(tmp_.path("odd.lock").c_str(), 0666), 0);
  refused("world-writable");
  ASSERT_EQ(kind_of(seat("odd")->acquire({})), Kind::kGranted);
  ASSERT_EQ(::link(tmp_.path("odd.lock").c_str(), tmp_.path("second").c_str()), 0);
  refused("hard-linked");
}

// --- the lock of a file

TEST_F(LocalLockTest, AFileLockExcludesWhoFlocksTheSidecar) {
  std::ofstream(tmp_.path("config")) << "x";
  const auto lock = seat_of_file(tmp_.path("config"));
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  const int fd = ::open(tmp_.path(".config.lock").c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(::flock(fd, LOCK_EX | LOCK_NB), -1);
  ASSERT_TRUE(lock->release());
  EXPECT_EQ(::flock(fd, LOCK_EX | LOCK_NB), 0);
  const auto outcome = lock->acquire({});
  EXPECT_EQ(kind_of(outcome), Kind::kBusy);
  EXPECT_TRUE(outcome->holder.foreign);
  EXPECT_EQ(outcome->holder.pid, ::getpid());
  ::close(fd);
  EXPECT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  struct stat sidecar{};
  ASSERT_EQ(::stat(tmp_.path(".config.lock").c_str(), &sidecar), 0);
  EXPECT_EQ(sidecar.st_size, 0);  // only ever locked
}

TEST_F(LocalLockTest, ReplacingAHeldSidecarFencesTheOldHolderOff) {
  std::ofstream(tmp_.path("config")) << "x";
  const auto old = seat_of_file(tmp_.path("config"));
  ASSERT_EQ(kind_of(old->acquire({.ttl = 1ms, .yields = LockYields::kTake})), Kind::kGranted);
  const auto taker = seat_of_file(tmp_.path("config"));
  const auto refused = taker->acquire({.wait = 5s, .on_expired = OnExpired::kTake});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  const auto outcome = taker->acquire({.wait = 5s, .on_expired = OnExpired::kReplace});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kReplaced);
  EXPECT_EQ(old->check().value(), Owned::kLost);
  EXPECT_EQ(old->release().value(), Owned::kLost);
  EXPECT_EQ(taker->check().value(), Owned::kYes);
}

TEST_F(LocalLockTest, AForeignHolderIsPresumedDeadOnlyAfterTheTimeThatWasNamed) {
  std::ofstream(tmp_.path("config")) << "x";
  const int fd = ::open(tmp_.path(".config.lock").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_EQ(kind_of(seat_of_file(tmp_.path("config"))->acquire({.presume_dead = 1h})), Kind::kBusy);
  const auto lock = seat_of_file(tmp_.path("config"));
  const auto outcome = lock->acquire({.wait = 10s, .presume_dead = 200ms});
  EXPECT_EQ(kind_of(outcome), Kind::kGranted);
  EXPECT_EQ(outcome->cause, LockCause::kReplaced);
  EXPECT_NE(events_.data_of("lock.taken"), "(none)");
  ::close(fd);
}

TEST_F(LocalLockTest, ReentryIsByChain) {
  const auto outer = seat();
  ASSERT_EQ(kind_of(outer->acquire({})), Kind::kGranted);
  const auto inner = seat();
  EXPECT_EQ(kind_of(inner->acquire({.chain = {outer->chain_entry()}})), Kind::kReentered);
  EXPECT_EQ(inner->grant()->fence, outer->grant()->fence);
  EXPECT_EQ(inner->release().value(), Owned::kYes);
  EXPECT_EQ(outer->check().value(), Owned::kYes);
  EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy);
}

TEST_F(LocalLockTest, ACycleIsReportedToTheYoungestWaiter) {
  const auto a = seat("a");
  const auto b = seat("b");
  ASSERT_EQ(kind_of(a->acquire({})), Kind::kGranted);
  ASSERT_EQ(kind_of(b->acquire({})), Kind::kGranted);
  Kind older{};
  std::thread first([&] {
    const auto wants_b = seat("b");
    older = kind_of(wants_b->acquire({.wait = 20s, .chain = {a->chain_entry()}}));
  });
  while (look_at_lock(place("b"), clock_)->waiters.empty()) std::this_thread::yield();
  const auto wants_a = seat("a");
  const auto outcome = wants_a->acquire({.wait = 20s, .chain = {b->chain_entry()}});
  EXPECT_EQ(kind_of(outcome), Kind::kDeadlock);
  ASSERT_TRUE(b->release());
  first.join();
  EXPECT_EQ(older, Kind::kGranted);
}

}  // namespace
}  // namespace holdfast::lock
