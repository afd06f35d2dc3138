// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/chain_gate.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <deque>
#include <fstream>
#include <iterator>
#include <thread>

#include "file/replace/replace.h"
#include "lock/grant/by_token.h"
#include "lock/grant/fork_fixture.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

// A lease that ends at once, and that others may take.
const AcquireRequest kShortLease{
    .wait = 10s, .ttl = 1ms, .yields = LockYields::kTake, .on_expired = OnExpired::kTake};

class ChainGateTest : public LockFixture {
 protected:
  [[nodiscard]] std::unique_ptr<Lock> held(const std::string& name = "deploy",
                                           const AcquireRequest& request = {}) {
    auto lock = seat(name);
    EXPECT_EQ(kind_of(lock->acquire(request)), Kind::kGranted);
    return lock;
  }
  static std::string cause_of(const LockChain& chain) {
    ChainGate gate(chain);
    const auto passage = gate.enter();
    return passage ? "(passed)" : passage.error().cause;
  }
  // A commit to the file `f`.
  [[nodiscard]] std::string write(const LockChain& chain, std::string_view text) const {
    const auto done = file::replace(
        tmp_.path("f"), text, {.durability = file::Durability::kNone, .gate = gate_of(chain)});
    return done ? "(done)" : done.error().cause;
  }
  [[nodiscard]] std::string content() const {
    std::ifstream file(tmp_.path("f"));
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(ChainGateTest, TheCurrentTokenPassesAndAReleasedOneDoesNot) {
  const auto lock = held();
  const LockChain chain{lock->chain_entry()};
  EXPECT_EQ(write(chain, "one"), "(done)");
  ASSERT_EQ(lock->release().value(), Owned::kYes);
  EXPECT_EQ(write(chain, "two"), "lock-lost");
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  EXPECT_EQ(write(chain, "three"), "lock-lost");
  EXPECT_EQ(write({lock->chain_entry()}, "four"), "(done)");
  EXPECT_EQ(content(), "four");
}

TEST_F(ChainGateTest, TheLockOfAFilePassesToo) {
  const auto lock = seat_of_file(tmp_.path("f"));
  ASSERT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
  EXPECT_EQ(write({lock->chain_entry()}, "one"), "(done)");
  // Also where the file has become a link: the lock is where it was.
  ASSERT_EQ(::rename(tmp_.path("f").c_str(), tmp_.path("g").c_str()), 0);
  ASSERT_EQ(::symlink("elsewhere/h", tmp_.path("f").c_str()), 0);
  EXPECT_EQ(cause_of({lock->chain_entry()}), "(passed)");
}

TEST_F(ChainGateTest, AnExpiredLeasePassesUntilSomebodyTakesIt) {
  const auto late = held("deploy", kShortLease);
  const LockChain chain{late->chain_entry()};
  std::this_thread::sleep_for(5ms);  // lint: no_sleep a lease has to run out
  EXPECT_EQ(write(chain, "one"), "(done)");
  const auto taker = held("deploy", kShortLease);
  EXPECT_EQ(write(chain, "late"), "lock-lost");
  EXPECT_EQ(content(), "one");
}

TEST_F(ChainGateTest, ABrokenLockDoesNotPass) {
  const auto lock = held();
  const auto id = break_id_of((*Ledger::open(place())).value());
  ASSERT_TRUE(id && *id);
  ASSERT_TRUE(break_lock(place(), backend_.fences(), **id, "test", clock_, &events_));
  EXPECT_EQ(cause_of({lock->chain_entry()}), "lock-lost");
}

TEST_F(ChainGateTest, ATokenWithoutItsFenceDecidesAlone) {
  const auto lock = held();
  ChainEntry entry = lock->chain_entry();
  entry.fence = 0;
  EXPECT_EQ(cause_of({entry}), "(passed)");
  entry.fence = lock->grant()->fence + 1;
  EXPECT_EQ(cause_of({entry}), "lock-lost");
}

TEST_F(ChainGateTest, AReaderChangesNothing) {
  const auto lock = held("deploy", {.mode = LockMode::kShared});
  EXPECT_EQ(cause_of({lock->chain_entry()}), "shared-token");
  ChainEntry stranger = lock->chain_entry();
  stranger.token.bytes[0] ^= 1U;
  EXPECT_EQ(cause_of({stranger}), "lock-lost");
}

TEST_F(ChainGateTest, EveryLockOfTheChainMustHold) {
  const auto outer = held("outer");
  const auto inner = held("inner");
  const LockChain chain{outer->chain_entry(), inner->chain_entry()};
  EXPECT_EQ(write(chain, "one"), "(done)");
  ASSERT_TRUE(outer->release());
  EXPECT_EQ(write(chain, "two"), "lock-lost");
  EXPECT_EQ(content(), "one");
}

TEST_F(ChainGateTest, OneLedgerNamedTwiceIsTakenOnceAndEachTokenCounts) {
  const auto lock = held();
  const ChainEntry entry = lock->chain_entry();
  EXPECT_EQ(cause_of({entry, entry}), "(passed)");
  ChainEntry older = entry;
  older.token.bytes[3] ^= 1U;
  EXPECT_EQ(cause_of({older, entry}), "lock-lost");
}

TEST_F(ChainGateTest, ALedgerThatIsGoneOrNotOursIsNotBelieved) {
  const auto lock = held();
  const ChainEntry entry = lock->chain_entry();
  const std::string ledger = tmp_.path("deploy.lock");
  ASSERT_EQ(::chmod(ledger.c_str(), 0666), 0);
  EXPECT_EQ(cause_of({entry}), "chain-ledger-foreign");
  ASSERT_EQ(::rename(ledger.c_str(), tmp_.path("moved").c_str()), 0);
  EXPECT_EQ(cause_of({entry}), "chain-ledger-missing");
  ASSERT_EQ(::symlink("moved", ledger.c_str()), 0);
  EXPECT_EQ(cause_of({entry}), "chain-ledger-foreign");
  ASSERT_EQ(::unlink(ledger.c_str()), 0);
  std::ofstream(ledger) << "not a ledger";
  ASSERT_EQ(::chmod(ledger.c_str(), 0600), 0);
  EXPECT_EQ(cause_of({entry}), "chain-ledger-foreign");
  ChainEntry elsewhere = entry;
  elsewhere.ledger = tmp_.path("no/such/deploy.lock");
  EXPECT_EQ(cause_of({elsewhere}), "chain-ledger-missing");
  ChainGate gate({elsewhere});
  EXPECT_EQ(gate.enter().error().code, ErrorCode::kCannotTell);
}

TEST_F(ChainGateTest, ALedgerThatWasMadeAnewKnowsNothingOfTheOldToken) {
  const auto lock = held();
  ASSERT_EQ(::unlink(tmp_.path("deploy.lock").c_str()), 0);
  const auto other = held();
  EXPECT_EQ(cause_of({lock->chain_entry()}), "lock-lost");
}

TEST_F(ChainGateTest, WhileThePassageLivesNobodyIsGrantedTheLock) {
  const auto late = held("deploy", kShortLease);
  ChainGate gate({late->chain_entry()});
  auto passage = gate.enter();
  ASSERT_TRUE(passage);
  const auto taker = seat();
  const auto outcome = taker->acquire(kShortLease);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().cause, "guard-timeout");
  passage->reset();
  EXPECT_EQ(kind_of(taker->acquire(kShortLease)), Kind::kGranted);
}

TEST_F(ChainGateTest, AGuardThatIsNotGivenBackEndsTheCommitAndNotThePatience) {
  const auto lock = held();
  const auto ledger = Ledger::open(place());
  const auto guard = (*ledger)->guard();
  EXPECT_EQ(cause_of({lock->chain_entry()}), "guard-timeout");
}

TEST_F(ChainGateTest, TwoChainsInOppositeOrderDoNotWaitForEachOther) {
  const auto one = held("one");
  const auto two = held("two");
  const auto pass = [](LockChain chain) {
    for (int i = 0; i < 400; ++i) {
      if (cause_of(chain) != "(passed)") return false;
    }
    return true;
  };
  bool there = false;
  std::thread other([&] { there = pass({two->chain_entry(), one->chain_entry()}); });
  EXPECT_TRUE(pass({one->chain_entry(), two->chain_entry()}));
  other.join();
  EXPECT_TRUE(there);
}

// Nobody releases: each takes the lock when the last lease has run out, and then writes with every
// token it ever had lately. Inside the passage nobody else is, so `newest` needs no lock of its
// own.
TEST_F(ChainGateTest, NoLateWriteLandsBehindThatOfAHigherFence) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 60;
  constexpr std::size_t kKept = 4;
  std::atomic<std::uint64_t> newest{0};
  std::atomic<int> late{0};
  std::atomic<int> landed{0};
  std::atomic<int> refused{0};
  const auto commit = [&](const Lock& lock) {
    ChainGate gate({lock.chain_entry()});
    const auto passage = gate.enter();
    ++(passage ? landed : refused);
    if (!passage) return;
    const std::uint64_t before = newest.load();
    std::this_thread::sleep_for(2ms);  // lint: no_sleep a lease has to run out
    if (lock.grant()->fence < before || newest.load() != before) ++late;
    newest.store(lock.grant()->fence);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      std::deque<std::unique_ptr<Lock>> kept;
      for (int i = 0; i < kRounds; ++i) {
        auto lock = backend_.open({.kind = LockId::Kind::kNamed, .text = "deploy"}).value();
        const auto outcome = lock->acquire(kShortLease);
        if (!outcome || !outcome->granted()) continue;
        kept.push_front(std::move(lock));
        if (kept.size() > kKept) {
          kept.back()->leave();
          kept.pop_back();
        }
        for (const auto& one : kept) commit(*one);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(late, 0);
  EXPECT_GT(landed, 0);
  EXPECT_GT(refused, kRounds);
}

}  // namespace
}  // namespace holdfast::lock
