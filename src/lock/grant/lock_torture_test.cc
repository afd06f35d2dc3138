// SPDX-License-Identifier: Apache-2.0
//
// Many processes, killed and stopped at random, judged by a log that no process can forge after the
// fact: each stamp takes the next place of an array in shared memory. Between the stamps "in" and
// "out" of one grant there must be no stamp of a later one, and fences only rise.
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <random>
#include <span>

#include "lock/grant/chain_gate.h"
#include "lock/grant/fork_fixture.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

// A million under the label `long`.
std::size_t grants_wanted() {
  const char* typed = std::getenv("HOLDFAST_TORTURE_GRANTS");
  return typed != nullptr ? std::strtoull(typed, nullptr, 10) : 100'000;
}

template <typename T>
class Shared {
 public:
  explicit Shared(std::size_t count) : bytes_(count * sizeof(T)) {
    void* const at =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(at, MAP_FAILED);
    items_ = std::span(static_cast<T*>(at), count);
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  Shared(Shared&&) = delete;
  Shared& operator=(Shared&&) = delete;
  ~Shared() { ::munmap(items_.data(), bytes_); }
  T& operator[](std::size_t i) const { return items_[i]; }

 private:
  std::size_t bytes_;
  std::span<T> items_;
};

struct Stamp {
  enum : std::uint32_t { kNone = 0, kIn = 1, kOut = 2, kCommit = 3 };
  std::atomic<std::uint64_t> fence;
  std::atomic<std::uint32_t> what;  // stored last
};

class StampLog {
 public:
  explicit StampLog(std::size_t room) : room_(room), stamps_(room), next_(1) {}
  bool put(std::uint32_t what, std::uint64_t fence) const {
    const std::size_t at = next_[0].fetch_add(1);
    if (at >= room_) return false;
    stamps_[at].fence = fence;
    stamps_[at].what = what;
    return true;
  }
  [[nodiscard]] std::size_t size() const { return std::min(next_[0].load(), room_); }
  [[nodiscard]] const Stamp& at(std::size_t i) const { return stamps_[i]; }

 private:
  std::size_t room_;
  Shared<Stamp> stamps_;
  Shared<std::atomic<std::size_t>> next_;
};

class LockTorture : public LockFixture {
 protected:
  static constexpr int kProcesses = 8;

  // Starts one worker; it stops by itself when the log is full.
  template <typename Round>
  pid_t start(Round round) {
    return child([&] {
      const auto lock = seat();
      while (round(*lock)) {
      }
    });
  }

  // Kills and stops workers at random until the log is full, replacing the dead.
  template <typename Start>
  void torment(const StampLog& log, std::size_t until, const Start& start_one, bool kills) {
    std::mt19937 random(20261115);
    std::array<pid_t, kProcesses> workers{};
    for (pid_t& worker : workers) worker = start_one();
    while (log.size() < until) {
      ::usleep(static_cast<useconds_t>(200 + random() % 1500));  // lint: no_sleep chaos
      pid_t& victim = workers[random() % kProcesses];
      if (kills && random() % 2 == 0) {
        kill_and_reap(victim);
        victim = start_one();
        ++killed_;
      } else {
        ::kill(victim, SIGSTOP);
        ::usleep(static_cast<useconds_t>(random() % 2000));  // lint: no_sleep chaos
        ::kill(victim, SIGCONT);
        ++stopped_;
      }
    }
    for (const pid_t worker : workers) {
      if (!kills) {
        EXPECT_EQ(wait_for(worker), 0);
      } else {
        kill_and_reap(worker);
      }
    }
  }

  std::size_t killed_ = 0;
  std::size_t stopped_ = 0;
};

TEST_F(LockTorture, NoTwoHoldersUnderRandomKillsAndStops) {
  const std::size_t room = 2 * grants_wanted();
  const StampLog log(room);
  const auto round = [&](Lock& lock) {
    const auto outcome = lock.acquire({.wait = 60s});
    if (!outcome || outcome->kind != Kind::kGranted) ::_exit(3);
    const std::uint64_t fence = lock.grant()->fence;
    const bool in = log.put(Stamp::kIn, fence);
    const bool out = log.put(Stamp::kOut, fence);
    const auto released = lock.release();
    if (!released || *released != Owned::kYes) ::_exit(4);
    return in && out;
  };
  torment(log, room, [&] { return start(round); }, true);

  std::uint64_t current = 0;
  std::size_t grants = 0;
  std::size_t abandoned = 0;
  bool inside = false;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const std::uint64_t fence = log.at(i).fence;
    switch (log.at(i).what) {
      case Stamp::kIn:
        ASSERT_GT(fence, current) << "the fence went back at stamp " << i;
        abandoned += inside ? 1 : 0;
        current = fence;
        inside = true;
        ++grants;
        break;
      case Stamp::kOut:
        ASSERT_EQ(fence, current) << "two holders at stamp " << i;
        inside = false;
        break;
      default:
        break;  // killed between taking its place and filling it
    }
  }
  EXPECT_GT(grants, room / 2 - room / 20);
  EXPECT_LE(abandoned, killed_ + kProcesses);
  RecordProperty("grants", static_cast<int>(grants));
  RecordProperty("killed", static_cast<int>(killed_));
  RecordProperty("stopped", static_cast<int>(stopped_));
}

TEST_F(LockTorture, NoLateWriteLandsWhenLeasesAreTaken) {
  const std::size_t room = std::max<std::size_t>(grants_wanted() / 50, 1000);
  const StampLog log(room);
  const auto round = [&](Lock& lock) {
    const auto outcome = lock.acquire(
        {.wait = 60s, .ttl = 2ms, .yields = LockYields::kTake, .on_expired = OnExpired::kTake});
    if (!outcome || outcome->kind != Kind::kGranted) ::_exit(3);
    const std::uint64_t fence = lock.grant()->fence;
    ChainGate gate({lock.chain_entry()});
    bool more = true;
    for (int i = 0; i < 3 && more; ++i) {
      const auto passage = gate.enter();
      if (passage) {
        more = log.put(Stamp::kCommit, fence);
      } else if (passage.error().code != ErrorCode::kRefused) {
        ::_exit(5);
      }
    }
    const auto released = lock.release();
    if (!released) ::_exit(4);
    return more;
  };
  torment(log, room, [&] { return start(round); }, false);
  std::uint64_t highest = 0;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log.at(i).what != Stamp::kCommit) continue;
    ASSERT_GE(log.at(i).fence, highest) << "a late write landed at stamp " << i;
    highest = log.at(i).fence;
  }
  EXPECT_GT(stopped_, 0U);
}

// Contenders that start together at one dead holder: one wins by recovery, the others find it held.
TEST_F(LockTorture, ADeadHolderIsRecoveredByOneOfManyTenThousandTimes) {
  constexpr int kContenders = 4;
  constexpr std::uint32_t kRounds = 10'000;
  const pid_t gone = child([] {});
  const auto pinned = proc::identity_of(os::Pid{gone});  // a zombie at the latest
  wait_for(gone);
  ProcessIdentity dead{.boot = {}, .machine = {}, .pid = gone, .start = 1};
  const auto own = proc::own_identity();
  ASSERT_TRUE(own);
  dead.boot = own->boot;
  dead.machine = own->machine;
  dead.pidns = own->pidns;
  dead.timens = own->timens;

  struct Board {
    std::atomic<std::uint32_t> round, ready, tried, winners, recovered, wrong;
  };
  const Shared<Board> shared(1);
  Board& board = shared[0];
  std::array<pid_t, kContenders> contenders{};
  for (pid_t& contender : contenders) {
    contender = child([&] {
      const auto lock = seat();
      for (std::uint32_t round = 1; round <= kRounds; ++round) {
        ++board.ready;
        while (board.round.load() < round) sched_yield();
        const auto outcome = lock->acquire({});
        if (!outcome) ++board.wrong;
        const bool won = outcome && outcome->kind == Kind::kGranted;
        board.winners += won ? 1 : 0;
        board.recovered += won && outcome->cause == LockCause::kDead ? 1 : 0;
        ++board.tried;
        while (board.tried.load() < round * kContenders) sched_yield();
        if (won && lock->release().value_or(Owned::kLost) != Owned::kYes) ++board.wrong;
      }
    });
  }
  const auto corpse = seat();
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    while (board.ready.load() < round * kContenders) sched_yield();
    const auto outcome = corpse->acquire({.wait = 10s, .work = dead});
    ASSERT_TRUE(outcome && outcome->kind == Kind::kGranted);
    corpse->leave();
    board.round = round;
    while (board.tried.load() < round * kContenders) sched_yield();
    ASSERT_EQ(board.winners.load(), round) << "in round " << round;
  }
  for (const pid_t contender : contenders) EXPECT_EQ(wait_for(contender), 0);
  EXPECT_EQ(board.recovered.load(), kRounds);
  EXPECT_EQ(board.wrong.load(), 0U);
  static_cast<void>(pinned);
}

}  // namespace
}  // namespace holdfast::lock
