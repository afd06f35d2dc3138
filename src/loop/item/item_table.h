// SPDX-License-Identifier: Apache-2.0
//
// The life of an item as a table: where it is, what can happen, what follows. docs/loops.md draws
// it; a test keeps the drawing equal to the table, and models/loop.pml is checked by spin.
//
// Whoever changes an item asks next() first. nullopt is "this cannot happen here", and nothing is
// written.
//
// What the shape guarantees: kDone is entered only from where the world was asked or on_success has
// ended (kSettled is a person's word); a run is claimed only out of kWaiting; and into kWaiting
// lead a failure that somebody vouches for (the run or `verify`), a run that says itself that it
// cannot tell, a proof that nothing was started, or a person. From kUnknown only a person gets on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "format/loop/loop_item.h"

namespace holdfast::loop {

enum class ItemEvent : std::uint8_t {
  kClaimed,     // a run is intended
  kNotStarted,  // proven: it never began
  kToVerify,    // the run is over; the world is to be asked
  kAskAgain,    // the world's answer could not be had
  kFailed,      // not done, or the run cannot tell; there are attempts left
  kExhausted,   // definitely not done; there are none
  kVerified,    // the world says so; without `verify`, the run does
  kCannotKnow,  // the outcome is lost, and there is nobody to ask
  kActUnsure,   // the outcome of on_success or on_failure is lost; the world is to be asked
  kActDone,
  kActNotDone,  // it is to be tried again
  kActGivenUp,
  kRetried,     // by a person: from the start
  kActRetried,  // by a person: only on_success
  kSettled,     // a person says that it is done
};
inline constexpr std::size_t kItemEvents = 15;

// The name in docs/loops.md.
constexpr std::string_view to_text(ItemEvent event) {
  constexpr std::array<std::string_view, kItemEvents> kNames{
      "claimed",      "not started",  "to verify",   "ask again",   "failed",
      "exhausted",    "verified",     "cannot know", "act unsure",  "act done",
      "act not done", "act given up", "retried",     "act retried", "settled"};
  return kNames[static_cast<std::size_t>(event)];
}

namespace table {

using State = ItemState;
inline constexpr std::optional<State> kNo{};

struct Row {
  State from;
  std::array<std::optional<State>, kItemEvents> to;
};

// clang-format off
inline constexpr std::array<Row, kItemStates> kRows{{
    // claimed, not started, to verify, ask again
    // failed, exhausted, verified, cannot know
    // act unsure, act done, act not done, act given up
    // retried, act retried, settled
    {State::kWaiting,
     {State::kRunning, kNo, kNo, kNo,
      kNo, kNo, kNo, kNo,
      kNo, kNo, kNo, kNo,
      State::kWaiting, kNo, State::kDone}},
    {State::kRunning,
     {kNo, State::kWaiting, State::kVerifying, kNo,
      State::kWaiting, State::kFailing, State::kSucceeding, State::kUnknown,
      kNo, kNo, kNo, kNo,
      kNo, kNo, kNo}},
    {State::kVerifying,
     {kNo, kNo, kNo, State::kVerifying,
      State::kWaiting, State::kFailing, State::kSucceeding, kNo,
      kNo, kNo, kNo, kNo,
      State::kWaiting, kNo, State::kDone}},
    {State::kSucceeding,
     {kNo, kNo, kNo, kNo,
      kNo, kNo, kNo, State::kUnknown,
      State::kSuccessUnsure, State::kDone, State::kSucceeding, State::kGaveUp,
      kNo, kNo, State::kDone}},
    {State::kSuccessUnsure,
     {kNo, kNo, kNo, State::kSuccessUnsure,
      kNo, kNo, kNo, kNo,
      kNo, State::kDone, State::kSucceeding, State::kGaveUp,
      kNo, State::kSucceeding, State::kDone}},
    {State::kFailing,
     {kNo, kNo, kNo, kNo,
      kNo, kNo, kNo, State::kUnknown,
      State::kFailureUnsure, State::kGaveUp, State::kFailing, State::kGaveUp,
      kNo, kNo, kNo}},
    {State::kFailureUnsure,
     {kNo, kNo, kNo, State::kFailureUnsure,
      kNo, kNo, kNo, kNo,
      kNo, State::kGaveUp, State::kFailing, State::kGaveUp,
      State::kWaiting, kNo, State::kDone}},
    {State::kUnknown,
     {kNo, kNo, kNo, kNo,
      kNo, kNo, kNo, kNo,
      kNo, kNo, kNo, kNo,
      State::kWaiting, State::kSucceeding, State::kDone}},
    {State::kDone,
     {kNo, kNo, kNo, kNo,
      kNo, kNo, kNo, kNo,
      kNo, kNo, kNo, kNo,
      State::kWaiting, kNo, State::kDone}},
    {State::kGaveUp,
     {kNo, kNo, kNo, kNo,
      kNo, kNo, kNo, kNo,
      kNo, kNo, kNo, kNo,
      State::kWaiting, State::kSucceeding, State::kDone}},
}};
// clang-format on

static_assert(
    [] {
      for (std::size_t i = 0; i < kRows.size(); ++i) {
        if (static_cast<std::size_t>(kRows[i].from) != i) return false;
      }
      return true;
    }(),
    "the rows stand in the order of ItemState");

}  // namespace table

constexpr std::optional<ItemState> next(ItemState state, ItemEvent event) {
  return table::kRows[static_cast<std::size_t>(state)].to[static_cast<std::size_t>(event)];
}

// Nothing happens to it but by a person.
constexpr bool is_over(ItemState state) {
  return state == ItemState::kDone || state == ItemState::kGaveUp;
}

}  // namespace holdfast::loop
