// SPDX-License-Identifier: Apache-2.0
//
// The life of a supervised tree as a table: where it is, what can happen, what follows.
//
//   running ──left over──▶ terminating ──due──▶ killing ──due──▶ done (survivors)
//      │ └─────due────────▶    │                   │
//      └──────empty────────────┴───────empty───────┴───────────▶ done
//
// `due` is the one timer of each phase: in running the deadline, in terminating the end of the
// grace, in killing the end of the patience. `empty` is ECHILD and nothing less. `left over` says
// that nobody needs what still lives: the commands themselves have ended, or one of them could not
// start, or the caller no longer wants any of it. `fault` is a failure of the supervisor's own
// means: it no longer waits, it kills.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast::supervise {

enum class Phase : std::uint8_t { kRunning, kTerminating, kKilling, kDone };
enum class Event : std::uint8_t { kLeftOver, kDue, kEmpty, kFault };
enum class Action : std::uint8_t {
  kNone,
  kTerminate,      // TERM and CONT to the tree, start the grace
  kKill,           // KILL to the tree, again and again, start the patience
  kNameSurvivors,  // patience is over: say who is left
};

inline constexpr std::size_t kPhases = 4;
inline constexpr std::size_t kEvents = 4;

struct Step {
  Phase phase;
  Action action = Action::kNone;
  bool operator==(const Step&) const = default;
};

// kSteps[phase][event]
inline constexpr std::array<std::array<Step, kEvents>, kPhases> kSteps{{
    // left over, due, empty, fault
    {{{Phase::kTerminating, Action::kTerminate},
      {Phase::kTerminating, Action::kTerminate},
      {Phase::kDone},
      {Phase::kKilling, Action::kKill}}},
    {{{Phase::kTerminating},
      {Phase::kKilling, Action::kKill},
      {Phase::kDone},
      {Phase::kKilling, Action::kKill}}},
    {{{Phase::kKilling},
      {Phase::kDone, Action::kNameSurvivors},
      {Phase::kDone},
      {Phase::kKilling}}},
    {{{Phase::kDone}, {Phase::kDone}, {Phase::kDone}, {Phase::kDone}}},
}};

constexpr Step next(Phase phase, Event event) {
  return kSteps[static_cast<std::size_t>(phase)][static_cast<std::size_t>(event)];
}

}  // namespace holdfast::supervise
