// SPDX-License-Identifier: Apache-2.0
//
// Every call of a passage fails once and for good: it is refused, or it was really passed, and no
// GUARD stays behind.
#include "lock/grant/chain_gate.h"
#include "lock/grant/fork_fixture.h"
#include "os/process/pid.h"
#include "testing/fault_sweep.h"

namespace holdfast::lock {
namespace {

using testing::SweepCase;

class ChainGateSweep : public LockFixture {};

TEST_F(ChainGateSweep, AFaultRefusesAndLeavesNoGuard) {
  os::process_mark();
  const auto outer = seat("outer");
  const auto inner = seat("inner");
  ASSERT_EQ(kind_of(outer->acquire({})), Kind::kGranted);
  ASSERT_EQ(kind_of(inner->acquire({})), Kind::kGranted);
  const auto lost = seat("lost");
  ASSERT_EQ(kind_of(lost->acquire({})), Kind::kGranted);
  const LockChain ours{outer->chain_entry(), inner->chain_entry()};
  const LockChain stale{outer->chain_entry(), lost->chain_entry()};
  ASSERT_EQ(lost->release().value(), Owned::kYes);

  for (const bool is_ours : {true, false}) {
    const std::size_t cases =
        testing::fault_sweep({.prepare = [] {},
                              .body =
                                  [&] {
                                    ChainGate gate(is_ours ? ours : stale);
                                    const auto passage = gate.enter();
                                    EXPECT_TRUE(is_ours || !passage);
                                    // What is swept is the entering; a refusal is the right answer
                                    // of a stale chain.
                                    return is_ours ? passage.has_value() : !passage.has_value();
                                  },
                              .check =
                                  [&](const SweepCase& fault, bool) {
                                    for (const char* name : {"outer", "inner", "lost"}) {
                                      const auto ledger = Ledger::open(place(name));
                                      ASSERT_TRUE(ledger && *ledger) << fault.description;
                                      EXPECT_TRUE((*ledger)->guard())
                                          << fault.description << ": " << name;
                                    }
                                  }});
    EXPECT_GT(cases, 30U);
  }
}

}  // namespace
}  // namespace holdfast::lock
