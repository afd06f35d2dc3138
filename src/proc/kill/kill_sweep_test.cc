// SPDX-License-Identifier: Apache-2.0
//
// Whatever fails in a kill: nobody else is signalled, "killed" is true, and nothing is signalled
// that was not announced.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "proc/kill/kill.h"
#include "proc/kill/kill_fixture.h"
#include "testing/fault_sweep.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::proc {
namespace {

using namespace std::chrono_literals;
using testing::SweepCase;

// One process to be killed, anew for each case, and one that is none of its business.
class Scene {
 public:
  void prepare() {
    child_ = std::make_unique<WaitingChild>();
    identity_ = identity_of_living(child_->pid());
    sink.types.clear();
    report = {};
  }
  // True: it did what it was asked for.
  bool kill(bool tree, Duration grace = 2s) {
    auto done = kill_process(identity_, {.tree = tree, .grace = grace, .wait = 2s}, sink);
    if (done) report = std::move(*done);
    return report.acted && report.ended == 1;
  }
  void check(const std::string& what, bool kernel_said_gone) const {
    const bool announced = !sink.types.empty() && sink.types[0] == "process.killed";
    const bool alive = lives(child_->pid());
    EXPECT_TRUE(lives(bystander_.pid())) << what;
    EXPECT_TRUE(announced || alive) << what;
    EXPECT_TRUE(announced || !report.acted) << what;
    EXPECT_FALSE(alive && report.outcome == KillOutcome::kKilled) << what;
    EXPECT_FALSE(alive && !kernel_said_gone && report.outcome == KillOutcome::kGone) << what;
  }
  [[nodiscard]] bool child_lives() const { return lives(child_->pid()); }

  RememberingSink sink;
  KillReport report;

 private:
  WaitingChild bystander_;
  std::unique_ptr<WaitingChild> child_;
  Identity identity_;
};

bool kernel_said_gone(const SweepCase& what) {
  return what.os_code == ESRCH || what.second_os_code == ESRCH;
}

TEST(KillSweep, NoFaultHitsABystanderOrActsUnannouncedOrLies) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  ASSERT_TRUE(own_identity());
  Scene scene;
  const std::size_t runs = testing::fault_sweep(
      {.prepare = [&] { scene.prepare(); },
       .body = [&] { return scene.kill(false); },
       .check = [&](const SweepCase& what,
                    bool) { scene.check(what.description, kernel_said_gone(what)); },
       .second_faults = true});
  EXPECT_GE(runs, 30U);
}

// The tests of a tree run in a pid namespace of their own, where nobody else comes and goes.
int in_quiet_place(const std::function<void()>& body) {
  return in_pid_namespace(Proc::kOwn, [&] {
    if (!own_identity()) return kCannotTry;
    body();
    return ::testing::Test::HasFailure() ? 1 : 0;
  });
}

// How far a kill of a tree comes before its decision: the same calls each time.
void sweep_the_look() {
  Scene scene;
  scene.sink.refuses = true;
  const std::size_t runs =
      testing::fault_sweep({.prepare = [&] { scene.prepare(); },
                            .body =
                                [&] {
                                  scene.kill(true);
                                  return true;
                                },
                            .check =
                                [&](const SweepCase& what, bool) {
                                  scene.check(what.description, kernel_said_gone(what));
                                  EXPECT_TRUE(scene.child_lives()) << what.description;
                                }});
  EXPECT_GE(runs, 40U);
}

// Fails the n-th call behind the decision.
class FailsBehindTheDecision final : public testing::CallHook {
 public:
  FailsBehindTheDecision(const RememberingSink& sink, int nth, int os_code)
      : sink_(sink), left_(nth), os_code_(os_code) {}
  testing::Fate before(const testing::CallSite& call) override {
    // Without a clock the program ends, by design (os/machine/real_clock.h).
    if (sink_.types.empty() || call.name == "clock_gettime" || --left_ != 0) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = os_code_};
  }
  [[nodiscard]] bool fired() const { return left_ <= 0; }

 private:
  const RememberingSink& sink_;
  int left_;
  int os_code_;
};

// Here the calls depend on how quickly the process ends, so they are counted and not listed.
void sweep_the_act(int os_code) {
  Scene scene;
  int runs = 0;
  bool fired = true;
  for (int nth = 1; fired; ++nth) {
    scene.prepare();
    FailsBehindTheDecision hook(scene.sink, nth, os_code);
    {
      const testing::ScopedCallHook hooked(hook);
      scene.kill(true, 200ms);
    }
    fired = hook.fired();
    const std::string what = "call " + std::to_string(nth) + ", " + std::to_string(os_code);
    scene.check(what, os_code == ESRCH);
    EXPECT_NE(scene.report.outcome, KillOutcome::kKilled) << what;
    ++runs;
  }
  EXPECT_GE(runs, 10);
}

TEST(KillSweep, NoFaultOfATreeKillHitsABystanderOrActsUnannouncedOrLies) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  // They mostly wait, so all of them at once.
  std::vector<std::function<int()>> sweeps{[] { return in_quiet_place(&sweep_the_look); }};
  for (const int os_code : {EIO, EPERM, ESRCH, ENOMEM, EMFILE}) {
    sweeps.push_back([os_code] { return in_quiet_place([os_code] { sweep_the_act(os_code); }); });
  }
  for (const int code : testing::in_children(sweeps)) {
    if (code == kCannotTry) GTEST_SKIP() << "no pid namespaces here";
    EXPECT_EQ(code, 0);
  }
}

}  // namespace
}  // namespace holdfast::proc
