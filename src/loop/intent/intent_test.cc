// SPDX-License-Identifier: Apache-2.0
//
// What follows from an intent and its trace, and whom the guard lets in.
#include "loop/intent/intent.h"

#include "format/session/session_test_values.h"
#include "lock/grant/lock_fixture.h"
#include "loop/intent/intent_fixture.h"

namespace holdfast::loop {
namespace {

session::Trace trace_in(session::Trace::Kind kind, session::Tree tree = session::Tree::kUnproven) {
  session::Trace made{.kind = kind};
  if (kind != session::Trace::Kind::kNone) made.view.emplace().tree = tree;
  return made;
}

TEST(Intent, ItsFateIsThisTable) {
  using Kind = session::Trace::Kind;
  using enum IntentFate;
  constexpr std::array kAll{OnTheWay::kNobody, OnTheWay::kItsSupervisor, OnTheWay::kSomebody,
                            OnTheWay::kCannotTell};
  for (const OnTheWay on_the_way : kAll) {
    for (const bool begun : {false, true}) {
      EXPECT_EQ(fate_of(trace_in(Kind::kOver), begun, on_the_way), kOver);
      EXPECT_EQ(fate_of(trace_in(Kind::kUnder), begun, on_the_way), kLive);
      EXPECT_EQ(fate_of(trace_in(Kind::kUnknown), begun, on_the_way), kUnknown);
      EXPECT_EQ(fate_of(trace_in(Kind::kOrphaned), begun, on_the_way), kOrphanUnproven);
      EXPECT_EQ(fate_of(trace_in(Kind::kOrphaned, session::Tree::kLives), begun, on_the_way),
                kOrphanLives);
    }
  }
  // Without a trace it depends on who may still be on the way, and only then on `begun`.
  EXPECT_EQ(fate_of(trace_in(Kind::kNone), false, OnTheWay::kNobody), kNever);
  EXPECT_EQ(fate_of(trace_in(Kind::kNone), true, OnTheWay::kNobody), kGone);
  for (const bool begun : {false, true}) {
    EXPECT_EQ(fate_of(trace_in(Kind::kNone), begun, OnTheWay::kItsSupervisor), kLive);
    EXPECT_EQ(fate_of(trace_in(Kind::kNone), begun, OnTheWay::kSomebody), kNameTaken);
    EXPECT_EQ(fate_of(trace_in(Kind::kNone), begun, OnTheWay::kCannotTell), kUnknown);
  }
}

class IntentGuardTest : public lock::LockFixture {
 protected:
  std::unique_ptr<lock::Lock> held() {
    auto lock = seat("loop:night");
    EXPECT_EQ(kind_of(lock->acquire({})), Kind::kGranted);
    return lock;
  }
  IntentGuard guard_under(const lock::Lock& lock) {
    return {store_, Id128{},
            DriverLock{.clock = clock_,
                       .locks = backend_,
                       .label = lock.label(),
                       .token = lock.grant()->token}};
  }
  KeptIntent store_;
};

TEST_F(IntentGuardTest, TheSupervisorOfADriverThatHoldsItsLockIsLetIn) {
  const auto lock = held();
  EXPECT_TRUE(guard_under(*lock).admit({}));
  EXPECT_EQ(store_.calls, run::guards_are_in_a_copy() ? "leave admit " : "admit ");
}

TEST_F(IntentGuardTest, TheSupervisorOfADriverThatHasLostItsLockIsRefusedBeforeItsIntentIsTouched) {
  auto lock = held();
  IntentGuard late = guard_under(*lock);
  ASSERT_TRUE(lock->release());
  const auto refused = late.admit({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  const auto next = held();  // another driver, under another token
  EXPECT_FALSE(late.admit({}));
  EXPECT_EQ(store_.calls.find("admit"), std::string::npos);
}

TEST_F(IntentGuardTest, OnlyAFinalRecordIsCounted) {
  IntentGuard guard(store_, Id128{});
  SessionRecord record = small_session();
  record.state = SessionState::kOrphaned;
  guard.finished(record);
  EXPECT_EQ(store_.calls, "");
  record.state = SessionState::kExited;
  guard.finished(record);
  EXPECT_EQ(store_.calls, "ended ");
}

}  // namespace
}  // namespace holdfast::loop
