// SPDX-License-Identifier: Apache-2.0
//
// The one promise of every store of intents, under every death and every failing call of a
// supervisor: a command that was let go is on record, as begun or as counted, also where somebody
// has removed the session meanwhile.
#include <gtest/gtest.h>

#include "format/loop/step_test_values.h"
#include "loop/item/item_intent.h"
#include "loop/series/series_intent.h"
#include "loop/series/series_store.h"
#include "loop/step/step_intent.h"
#include "os/machine/real_clock.h"
#include "session/record/session_fixture.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::loop {
namespace {

enum class Keeper : std::uint8_t { kItem, kNotice, kSeries, kStep };

std::string name_of(Keeper keeper) {
  constexpr std::array kNames{"Item", "Notice", "Series", "Step"};
  return kNames[static_cast<std::size_t>(keeper)];
}

class NoEvents final : public EventSink {
 public:
  Result<EventReceipt> record(const Event& /*event*/) override { return EventReceipt{}; }
};

class IntentSweep : public ::testing::TestWithParam<Keeper> {
 protected:
  IntentSweep() {
    run_.bytes.fill(7);
    series_ = small_series();
    series_.pending = SeriesPending{.n = 1, .run = run_};
  }
  void SetUp() override { ASSERT_TRUE(proc::own_identity()); }

  void prepare() {
    tmp_.clear();
    for (const char* name : {"locks", "loop", "once", "sessions"}) {
      std::filesystem::create_directory(tmp_.path() + "/" + name);
      std::filesystem::permissions(tmp_.path() + "/" + name, std::filesystem::perms::owner_all);
    }
    if (GetParam() == Keeper::kSeries) {
      const session::SessionStore sessions(dir("sessions"));
      ASSERT_TRUE(write_series(sessions, series_));
    }
    if (GetParam() == Keeper::kItem || GetParam() == Keeper::kNotice) {
      ItemRecord item{.id = "160", .state = ItemState::kRunning};
      const ItemAct act{.run = run_, .session = session_name()};
      (GetParam() == Keeper::kItem ? item.act : item.notice.act) = act;
      const os::Dir loop = dir("loop");
      ASSERT_TRUE(ItemLog::create(loop));
      ASSERT_TRUE(ItemLog::open(loop)->change(os::Durability::kFull,
                                              [&](const ItemLog&) -> Result<std::vector<LoopLine>> {
                                                return std::vector<LoopLine>{item};
                                              }));
    }
  }

  [[nodiscard]] os::Dir dir(const std::string& name) const {
    return *os::Dir::open(tmp_.path() + "/" + name);
  }
  [[nodiscard]] std::string session_name() const {
    return GetParam() == Keeper::kStep ? "once:k" : series_.name;
  }

  // False where not even the store can be opened.
  template <typename Use>
  bool with_store(const Use& use) {
    auto locks_dir = os::Dir::open(tmp_.path() + "/locks");
    auto sessions_dir = os::Dir::open(tmp_.path() + "/sessions");
    auto loop_dir = os::Dir::open(tmp_.path() + "/loop");
    auto once_dir = os::Dir::open(tmp_.path() + "/once");
    if (!locks_dir || !sessions_dir || !loop_dir || !once_dir) return false;
    lock::LocalBackend locks(*locks_dir, clock_, &events_);
    const session::SessionStore sessions(*std::move(sessions_dir));
    const LoopServices services{.clock = clock_,
                                .sessions = sessions,
                                .events = events_,
                                .locks = locks,
                                .run_events = events_,
                                .run_locks = locks};
    if (GetParam() == Keeper::kStep) {
      const StepStore steps(*std::move(once_dir));
      const StepServices step_services{
          .clock = clock_, .events = events_, .sessions = sessions, .steps = steps};
      const StepRequest request{.kind = StepKind::kOnce, .key = "k"};
      StepIntent store(step_services, request);
      return use(store, sessions);
    }
    auto held = locks.open({.kind = lock::LockId::Kind::kNamed, .text = "driver"});
    if (!held) return false;
    if (GetParam() == Keeper::kSeries) {
      SeriesIntent store(services, **held, series_);
      return use(store, sessions);
    }
    auto log = ItemLog::open(*loop_dir);
    if (!log) return false;
    const Channel channel = GetParam() == Keeper::kItem ? Channel::kItem : Channel::kNotice;
    ItemIntent store(services, *log, **held, "160", channel);
    return use(store, sessions);
  }

  // The steps of run/session/session_run.h as far as records are concerned. False: nothing was let go.
  bool supervise() {
    return with_store([&](IntentStore& store, const session::SessionStore& sessions) {
      IntentGuard guard(store, run_);
      if (!guard.admit({})) return false;
      SessionRecord record =
          session::session_in(SessionState::kReserved, proc::to_record(*proc::own_identity()));
      record.name = session_name();
      record.run = run_;
      const auto dir = sessions.find_or_make(session_name());
      if (!dir || !dir->write(record, os::Durability::kFull)) return false;
      guard.reserved(record);
      std::filesystem::create_directory(tmp_.path() + "/went");  // the command; it is not swept
      record.state = SessionState::kExited;
      record.exit_code = 0;
      record.ended = clock_.wall();
      const bool ended = dir->write(record, os::Durability::kFull).has_value();
      guard.finished(record);
      return ended;
    });
  }

  [[nodiscard]] bool went() const { return std::filesystem::exists(tmp_.path() + "/went"); }

  [[nodiscard]] bool is_counted() const {
    const auto record = StepStore(dir("once")).read({.kind = StepKind::kOnce, .key = "k"});
    return record && *record && (*record)->runs == 1;
  }

  void expect_on_record() {
    const bool begun = [&] {
      bool has = false;
      with_store([&](IntentStore& store, const session::SessionStore&) {
        const auto read = store.has_begun(run_);
        EXPECT_TRUE(read) << (read ? "" : to_sentence(read.error()));
        has = read && *read;
        return true;
      });
      return has;
    }();
    if (went() && !has_session()) {
      EXPECT_TRUE(begun || (GetParam() == Keeper::kStep && is_counted()));
    }
  }
  [[nodiscard]] bool has_session() const {
    const auto read = session::SessionStore(dir("sessions")).find(session_name());
    return read && *read && (*read)->read().value_or(std::nullopt).has_value();
  }
  void remove_session() const {
    if (GetParam() == Keeper::kSeries) {
      std::filesystem::remove(tmp_.path() + "/sessions/" + session_name() + "/session.json");
    } else {
      for (const auto& entry : std::filesystem::directory_iterator(tmp_.path() + "/sessions")) {
        std::filesystem::remove_all(entry);
      }
    }
  }

  testing::TempDir tmp_;
  os::RealClock clock_;
  NoEvents events_;
  SeriesRecord series_;
  Id128 run_;
};

INSTANTIATE_TEST_SUITE_P(Keepers, IntentSweep,
                         ::testing::Values(Keeper::kItem, Keeper::kNotice, Keeper::kSeries,
                                           Keeper::kStep),
                         [](const auto& keeper) { return name_of(keeper.param); });

TEST_P(IntentSweep, EveryDeathLeavesWhatWasLetGoOnRecord) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { EXPECT_TRUE(supervise()); },
      .recover =
          [&](std::size_t died_before) {
            if (died_before == 0) {
              EXPECT_TRUE(went());
            }
            remove_session();
            expect_on_record();
          },
  });
  EXPECT_GT(mutations, 5U);
}

TEST_P(IntentSweep, EveryFailingCallLeavesWhatWasLetGoOnRecord) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { return supervise(); },
      .check =
          [&](const testing::SweepCase& fault, bool succeeded) {
            SCOPED_TRACE(fault.description);
            if (succeeded) {
              EXPECT_TRUE(went());
            }
            // A disk that stays full takes both notes of a step's supervisor: then only the session
            // tells of it (docs/steps.md, Limits).
            if (GetParam() != Keeper::kStep) remove_session();
            expect_on_record();
          },
  });
  EXPECT_GT(runs, 20U);
}

}  // namespace
}  // namespace holdfast::loop
