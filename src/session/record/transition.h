// SPDX-License-Identifier: Apache-2.0
//
// The life of a session as a table: where it is, what can happen, what follows. docs/sessions.md
// draws it; a test keeps the drawing equal to the table.
//
// Whoever writes a record asks next() first. nullopt is "this cannot happen here": the record, or
// whoever is about to change it, is mistaken, and nothing is written.
//
// Two ways into the past are shut on purpose: nothing leads out of a final state (a new run is a
// new record), and nothing leads from a state in which something may run to kFailed, which says
// that nothing ever ran.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "format/session/session_record.h"

namespace holdfast::session {

enum class Event : std::uint8_t {
  kSupervisorThere,  // the supervisor has the record; the command is being made
  kCouldNotStart,    // the command was never let go
  kGateOpened,       // the command runs
  kBeingEnded,       // by a deadline, a limit or a person; or what it left behind is
  kToVerify,         // exited with 0, the tree is gone, and there is something to verify
  kConfirmed,        // by the verification
  kRefuted,          // or it could not tell
  kExited,           // the tree is gone; its first process exited
  kKilled,           //                                     died of a signal
  kTimedOut,         //                                     was ended by a deadline
  kSupervisorGone,   // proven; the tree may run
  kAdopted,          // by a new supervisor
  kAdoptedToEnd,     // by one that was asked to end it
  kTreeGone,         // proven empty, and nobody has seen its status
  kRebooted,         // the machine, since
  kAssumedGone,      // a person says so
};
inline constexpr std::size_t kEvents = 16;

// The name in docs/sessions.md: "gate opened".
inline std::string_view to_text(Event event) {
  static constexpr std::array<std::string_view, kEvents> kNames{
      "supervisor there", "could not start", "gate opened",     "being ended",
      "to verify",        "confirmed",       "refuted",         "exited",
      "killed",           "timed out",       "supervisor gone", "adopted",
      "adopted to end",   "tree gone",       "rebooted",        "assumed gone"};
  return kNames[static_cast<std::size_t>(event)];
}

namespace table {

using State = SessionState;
inline constexpr std::optional<State> kNo{};

struct Row {
  State from;
  std::array<std::optional<State>, kEvents> to;
};

inline constexpr std::array kFinalRow{kNo, kNo, kNo, kNo, kNo, kNo, kNo, kNo,
                                      kNo, kNo, kNo, kNo, kNo, kNo, kNo, kNo};

// clang-format off
inline constexpr std::array<Row, kSessionStates> kRows{{
    // there, could not start, gate opened, being ended
    // to verify, confirmed, refuted
    // exited, killed, timed out
    // supervisor gone, adopted, adopted to end
    // tree gone, rebooted, assumed gone
    {State::kReserved,
     {State::kStarting, State::kFailed, kNo, kNo,
      kNo, kNo, kNo,
      kNo, kNo, kNo,
      State::kFailed, kNo, kNo,
      kNo, State::kLost, kNo}},
    {State::kStarting,
     {kNo, State::kFailed, State::kRunning, kNo,
      kNo, kNo, kNo,
      State::kExited, State::kKilled, State::kTimedOut,
      State::kOrphaned, kNo, kNo,
      kNo, State::kLost, kNo}},
    {State::kRunning,
     {kNo, kNo, kNo, State::kStopping,
      State::kVerifying, kNo, kNo,
      State::kExited, State::kKilled, State::kTimedOut,
      State::kOrphaned, kNo, kNo,
      kNo, State::kLost, kNo}},
    {State::kStopping,
     {kNo, kNo, kNo, State::kStopping,
      State::kVerifying, kNo, kNo,
      State::kExited, State::kKilled, State::kTimedOut,
      State::kOrphaned, kNo, kNo,
      kNo, State::kLost, State::kLost}},
    {State::kVerifying,
     {kNo, kNo, kNo, kNo,
      kNo, State::kExited, State::kUnverified,
      kNo, kNo, kNo,
      State::kOrphaned, kNo, kNo,
      kNo, State::kLost, kNo}},
    {State::kOrphaned,
     {kNo, kNo, kNo, kNo,
      kNo, kNo, kNo,
      kNo, kNo, kNo,
      State::kOrphaned, State::kRunning, State::kStopping,
      State::kLost, State::kLost, State::kLost}},
    {State::kExited, kFinalRow},
    {State::kFailed, kFinalRow},
    {State::kTimedOut, kFinalRow},
    {State::kKilled, kFinalRow},
    {State::kUnverified, kFinalRow},
    {State::kLost, kFinalRow},
}};
// clang-format on

static_assert(
    [] {
      for (std::size_t i = 0; i < kRows.size(); ++i) {
        if (static_cast<std::size_t>(kRows[i].from) != i) return false;
      }
      return true;
    }(),
    "the rows stand in the order of SessionState");

}  // namespace table

constexpr std::optional<SessionState> next(SessionState state, Event event) {
  return table::kRows[static_cast<std::size_t>(state)].to[static_cast<std::size_t>(event)];
}

// Can `state` ever become `wanted`, in any number of steps, none included?
inline bool can_become(SessionState state, SessionState wanted) {
  std::array<bool, kSessionStates> reached{};
  reached[static_cast<std::size_t>(state)] = true;
  // As many rounds as there are states: no way is longer.
  for (std::size_t round = 0; round < kSessionStates; ++round) {
    for (const table::Row& row : table::kRows) {
      if (!reached[static_cast<std::size_t>(row.from)]) continue;
      for (const auto& to : row.to) {
        if (to) reached[static_cast<std::size_t>(*to)] = true;
      }
    }
  }
  return reached[static_cast<std::size_t>(wanted)];
}

}  // namespace holdfast::session
