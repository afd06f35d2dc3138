// SPDX-License-Identifier: Apache-2.0
//
// What the supervisor of a step does, under every failing call and every death: a run that ended is
// counted once, one that never began is not counted, and a record is never lost or half.
#include <gtest/gtest.h>

#include "loop/step/step_intent.h"
#include "os/machine/real_clock.h"
#include "os/machine/sha256.h"
#include "session/record/session_fixture.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::loop {
namespace {

using testing::SweepCase;

class NoEvents final : public EventSink {
 public:
  Result<EventReceipt> record(const Event& /*event*/) override { return EventReceipt{}; }
};

class StepSweep : public ::testing::TestWithParam<StepKind> {
 protected:
  StepSweep() {
    request_.kind = GetParam();
    request_.key = "k";
    request_.max = 5;
    request_.text = "text";
    request_.digest = os::sha256("text");
    run_.bytes.fill(7);
  }
  void SetUp() override {
    ASSERT_TRUE(proc::own_identity());
    prepare();
  }

  void prepare() {
    tmp_.clear();
    for (const char* name : {"once", "sessions"}) {
      std::filesystem::create_directory(tmp_.path() + "/" + name);
      std::filesystem::permissions(tmp_.path() + "/" + name, std::filesystem::perms::owner_all);
    }
    steps_.emplace(*os::Dir::open(tmp_.path() + "/once"));
    sessions_.emplace(*os::Dir::open(tmp_.path() + "/sessions"));
  }

  [[nodiscard]] StepName name() const { return {.kind = request_.kind, .key = request_.key}; }
  StepServices services() {
    return {.clock = clock_, .events = events_, .sessions = *sessions_, .steps = *steps_};
  }
  [[nodiscard]] session::SessionDir session() const {
    return *sessions_->find_or_make(name().session());
  }

  // The steps of run/session/session_run.h as far as records are concerned. False: nothing was let go.
  bool perform(int exit_code) {
    const StepServices services = this->services();
    StepIntent intent(services, request_);
    IntentGuard guard(intent, run_);
    if (!guard.admit({})) return false;
    SessionRecord record =
        session::session_in(SessionState::kReserved, proc::to_record(*proc::own_identity()));
    record.name = name().session();
    record.run = run_;
    const auto dir = sessions_->find_or_make(name().session());
    if (!dir || !dir->write(record, os::Durability::kFull)) return false;
    guard.reserved(record);
    record.state = SessionState::kExited;
    record.exit_code = exit_code;
    record.ended = clock_.wall();
    const bool ended = dir->write(record, os::Durability::kFull).has_value();
    guard.finished(record);
    return ended;
  }

  // What the next call would see.
  StepStatus look() {
    const auto read = steps_->read(name());
    EXPECT_TRUE(read) << (read ? "" : to_sentence(read.error()));
    const TimeMark now = *moment_now(clock_);
    auto look = step_status(*sessions_, read && *read ? **read : fresh_step(name(), now.wall), now,
                            NameHeld::kYes);
    EXPECT_TRUE(look);
    return look ? *look : StepStatus{};
  }
  [[nodiscard]] bool session_has_ended() const {
    const auto record = session().read();
    return record && *record && (*record)->state == SessionState::kExited;
  }

  void expect_counted_once(const StepStatus& look, int exit_code) const {
    ASSERT_FALSE(is_claimed(look.fate));
    EXPECT_FALSE(look.record.pending);
    const bool ended = session_has_ended();
    EXPECT_EQ(look.record.history.size(), look.record.runs);
    if (!ended) {
      EXPECT_FALSE(look.record.done);
      EXPECT_TRUE(look.record.sent.empty());
      // Of a notice nothing is forgotten; of an attempt nothing is used up.
      if (request_.kind == StepKind::kAttempt) {
        EXPECT_EQ(look.record.failures, 0U);
      }
      if (request_.kind == StepKind::kNotify && look.fate != IntentFate::kNone) {
        EXPECT_EQ(look.record.kept.texts.at(0).text, "text");
      }
      return;
    }
    EXPECT_EQ(look.record.runs, 1U);
    const bool counts = request_.kind == StepKind::kAttempt || request_.kind == StepKind::kNotify;
    EXPECT_EQ(look.record.failures, counts && exit_code != 0 ? 1U : 0U);
    if (exit_code != 0) return;
    if (request_.kind == StepKind::kNotify) {
      EXPECT_EQ(look.record.sent.size(), 1U);
    }
    if (request_.kind == StepKind::kOnce || request_.kind == StepKind::kAttempt) {
      EXPECT_TRUE(look.record.done);
    }
  }

  testing::TempDir tmp_;
  os::RealClock clock_;
  NoEvents events_;
  std::optional<StepStore> steps_;
  std::optional<session::SessionStore> sessions_;
  StepRequest request_;
  Id128 run_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, StepSweep,
                         ::testing::Values(StepKind::kOnce, StepKind::kAttempt, StepKind::kNotify),
                         [](const auto& kind) { return std::string(to_text(kind.param)); });

TEST_P(StepSweep, EveryDeathLeavesARunThatIsCountedOnceOrNotAtAll) {
  for (const int exit_code : {0, 3}) {
    const std::size_t mutations = testing::crash_sweep({
        .prepare = [&] { prepare(); },
        .body = [&] { EXPECT_TRUE(perform(exit_code)); },
        .recover =
            [&](std::size_t died_before) {
              expect_counted_once(look(), exit_code);
              if (died_before == 0) {
                EXPECT_TRUE(session_has_ended());
              }
              // And again, from what was written down the first time.
              auto hold = StepHold::take(*steps_, name());
              ASSERT_TRUE(hold);
              ASSERT_TRUE(hold->write(look().record, os::Durability::kNone));
              expect_counted_once(look(), exit_code);
            },
    });
    EXPECT_GT(mutations, 10U);
  }
}

TEST_P(StepSweep, EveryFailingCallLeavesARunThatIsCountedOnceOrNotAtAll) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { return perform(3); },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            SCOPED_TRACE(fault.description);
            const StepStatus seen = look();
            // This process is its supervisor, and lives: what has no final record is under way.
            if (is_claimed(seen.fate)) {
              EXPECT_FALSE(session_has_ended());
              EXPECT_FALSE(succeeded);
              return;
            }
            // The session's end could not be written; its supervisor has seen it, and counts it.
            if (!session_has_ended() && seen.record.runs != 0) {
              EXPECT_EQ(seen.record.runs, 1U);
              EXPECT_FALSE(seen.record.done);
              EXPECT_FALSE(succeeded);
              return;
            }
            expect_counted_once(seen, 3);
            if (succeeded) {
              EXPECT_TRUE(session_has_ended());
            }
          },
  });
  EXPECT_GT(runs, 60U);
}

TEST_P(StepSweep, NothingIsLetGoWithoutItsIntent) {
  testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body =
          [&] {
            const StepServices services = this->services();
            StepIntent intent(services, request_);
            return IntentGuard(intent, run_).admit({}).has_value();
          },
      .check =
          [&](const SweepCase& fault, bool admitted) {
            const auto record = steps_->read(name());
            ASSERT_TRUE(record) << fault.description;
            const bool intended = *record && (*record)->pending && (*record)->pending->run == run_;
            if (admitted) {
              EXPECT_TRUE(intended) << fault.description;
            }
          },
  });
}

TEST_P(StepSweep, EveryFailingCallOfReadingIsAnErrorAndNeverNothingKnown) {
  ASSERT_TRUE(perform(0));
  testing::fault_sweep({
      .prepare = [] {},
      .body =
          [&] {
            const auto record = steps_->read(name());
            if (!record) return false;
            EXPECT_TRUE(record->has_value());
            return true;
          },
      .check = [](const SweepCase&, bool) {},
  });
}

}  // namespace
}  // namespace holdfast::loop
