// SPDX-License-Identifier: Apache-2.0
//
// The caller dies before each of its mutations between the attempt and the hand-over, and every
// call of it fails once and for good. Whatever happens, a lock that was not handed over is free
// although its owner lives.
#include "lock/grant/by_token.h"
#include "lock/grant/force.h"
#include "lock/grant/fork_fixture.h"
#include "lock/grant/keeper.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;
using testing::crash_sweep;
using testing::fault_sweep;
using testing::SweepCase;

class KeeperSweep : public LockFixture {
 protected:
  void SetUp() override {
    ASSERT_NE(::signal(SIGPIPE, SIG_IGN), SIG_ERR);
    owner_ = child([] { ::pause(); });
    // What is read once per process is not what is swept here.
    ASSERT_TRUE(proc::own_identity());
    ASSERT_EQ(kind_of(seat()->acquire({})), Kind::kGranted);
  }

  void TearDown() override {
    if (owner_ != 0) kill_and_reap(owner_);
    ASSERT_NE(::signal(SIGPIPE, SIG_DFL), SIG_ERR);
  }

  bool hand_over() {
    auto at = backend_.place_of({.kind = LockId::Kind::kNamed, .text = "deploy"});
    auto owner = proc::pin(os::Pid{owner_});
    if (!at || !owner || !*owner) return false;
    LocalLock lock(std::move(*at), backend_.fences(), clock_, nullptr);
    const auto outcome = lock.acquire({.binding = LockBinding::kOwner});
    if (!outcome || outcome->kind != Kind::kGranted) return false;
    auto keeper = Keeper::start(lock, std::move(**owner), {});
    return keeper && keeper->confirm(lock);
  }

  void expect_free(const std::string& when) {
    const auto lock = seat();
    ASSERT_EQ(kind_of(lock->acquire({.wait = 10s})), Kind::kGranted) << when;
    ASSERT_EQ(lock->release().value(), Owned::kYes) << when;
  }
  // Handed over: it stays with the owner without its keeper, and the token releases it.
  void expect_kept(const std::string& when) {
    ASSERT_EQ(kind_of(seat()->acquire({})), Kind::kBusy) << when;
    const LockRecord kept = record();
    ASSERT_TRUE(end_keeper(kept, 10s).value()) << when;
    ASSERT_EQ(kind_of(seat()->acquire({})), Kind::kBusy) << when;
    const auto released = release_by_token(place(), kept.token, clock_, nullptr);
    ASSERT_TRUE(released && released->answer == TokenAnswer::kDone) << when;
    expect_free(when);
  }
  // Not handed over, and the release could not be written: then the record names this process, not
  // the owner, and nobody else is granted it while this one lives. True: that is so.
  bool expect_nobody_else(const std::string& when) {
    const auto ledger = Ledger::open(place());
    if (!ledger || !*ledger) return false;
    const auto newest = (*ledger)->read();
    if (!newest || newest->record.state != LockState::kHeld) return false;
    const auto work = newest->record.work.pid;
    EXPECT_EQ(work, ::getpid()) << when << ": held for the owner, which has no token";
    EXPECT_EQ(kind_of(seat()->acquire({})), Kind::kBusy) << when;
    return true;
  }

  pid_t owner_ = 0;
};

TEST_F(KeeperSweep, ADeathOnTheWayLeavesTheLockFree) {
  const std::size_t mutations = crash_sweep({.prepare = [&] { tmp_.clear(); },
                                             .body = [&] { EXPECT_TRUE(hand_over()); },
                                             .recover =
                                                 [&](std::size_t died_before) {
                                                   const std::string when =
                                                       "before " + std::to_string(died_before);
                                                   if (died_before == 0) return expect_kept(when);
                                                   expect_free(when);
                                                 }});
  EXPECT_GT(mutations, 8U);
}

TEST_F(KeeperSweep, AFailureOnTheWayLeavesTheLockFree) {
  std::size_t left_held = 0;
  const std::size_t cases = fault_sweep({.prepare = [&] { tmp_.clear(); },
                                         .body = [&] { return hand_over(); },
                                         .check =
                                             [&](const SweepCase& c, bool done) {
                                               if (done) return expect_kept(c.description);
                                               if (expect_nobody_else(c.description)) {
                                                 ++left_held;
                                               } else {
                                                 expect_free(c.description);
                                               }
                                             }});
  EXPECT_GT(cases, 100U);
  RecordProperty("left_held", static_cast<int>(left_held));
  EXPECT_LT(left_held, cases / 10) << "of " << cases << ": most failures let the lock go";
}

}  // namespace
}  // namespace holdfast::lock
