// SPDX-License-Identifier: Apache-2.0
//
// The table against what must hold for every sequence of events.
#include "supervise/phase.h"

#include <gtest/gtest.h>

namespace holdfast::supervise {
namespace {

constexpr std::array kAllPhases{Phase::kRunning, Phase::kTerminating, Phase::kKilling,
                                Phase::kDone};
constexpr std::array kAllEvents{Event::kLeftOver, Event::kDue, Event::kEmpty, Event::kFault};

// Calls `visit` with every sequence of up to `length` events.
template <typename Visit>
void each_sequence(std::size_t length, std::vector<Event>& events, const Visit& visit) {
  visit(events);
  if (events.size() == length) return;
  for (const Event event : kAllEvents) {
    events.push_back(event);
    each_sequence(length, events, visit);
    events.pop_back();
  }
}

TEST(Phase, NeverGoesBack) {
  for (const Phase phase : kAllPhases) {
    for (const Event event : kAllEvents) EXPECT_GE(next(phase, event).phase, phase);
  }
}

TEST(Phase, AnEmptyTreeIsTheEndAndNeedsNoForce) {
  for (const Phase phase : kAllPhases) EXPECT_EQ(next(phase, Event::kEmpty), Step{Phase::kDone});
}

TEST(Phase, EveryPhaseIsLeftByItsTimer) {
  Step step{Phase::kRunning};
  std::vector<Action> actions;
  for (int i = 0; i < 3; ++i) {
    step = next(step.phase, Event::kDue);
    actions.push_back(step.action);
  }
  EXPECT_EQ(step.phase, Phase::kDone);
  EXPECT_EQ(actions, (std::vector{Action::kTerminate, Action::kKill, Action::kNameSurvivors}));
}

TEST(Phase, ForceComesOnceEachAndInOrderWhateverHappens) {
  std::vector<Event> events;
  each_sequence(6, events, [](const std::vector<Event>& sequence) {
    Phase phase = Phase::kRunning;
    int terminated = 0;
    int killed = 0;
    bool ended = false;
    for (const Event event : sequence) {
      const Step step = next(phase, event);
      terminated += step.action == Action::kTerminate ? 1 : 0;
      killed += step.action == Action::kKill ? 1 : 0;
      if (step.action == Action::kTerminate) {
        EXPECT_EQ(killed, 0);
      }
      if (step.action == Action::kNameSurvivors) {
        EXPECT_EQ(killed, 1);
      }
      EXPECT_FALSE(ended && step.phase != Phase::kDone);
      ended = step.phase == Phase::kDone;
      phase = step.phase;
    }
    EXPECT_LE(terminated, 1);
    EXPECT_LE(killed, 1);
  });
}

}  // namespace
}  // namespace holdfast::supervise
