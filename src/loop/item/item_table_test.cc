// SPDX-License-Identifier: Apache-2.0
//
// The table against a model that is written down differently (what is open about an item, not where
// it is), over all short sequences of events; what the shape guarantees; and the drawing in
// docs/loops.md.
#include "loop/item/item_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace holdfast::loop {
namespace {

using enum ItemState;
using enum ItemEvent;

std::vector<ItemEvent> all_events() {
  std::vector<ItemEvent> events;
  for (std::size_t i = 0; i < kItemEvents; ++i) events.push_back(static_cast<ItemEvent>(i));
  return events;
}
std::vector<ItemState> all_states() {
  std::vector<ItemState> states;
  for (std::size_t i = 0; i < kItemStates; ++i) states.push_back(static_cast<ItemState>(i));
  return states;
}

// Facts, and what each event needs and changes. Slow and obvious.
class Model {
 public:
  // False: it cannot happen.
  bool happen(ItemEvent event) {
    switch (event) {
      case kClaimed:
        if (!idle()) return false;
        run_open_ = true;
        return true;
      case kNotStarted:
        if (!run_open_) return false;
        run_open_ = false;
        return true;
      case kToVerify:
        if (!run_open_) return false;
        run_open_ = false;
        asking_ = true;
        return true;
      case kAskAgain:
        return asking_ || act_unsure_;
      case kFailed:
        return end_attempt();
      case kExhausted:
        if (!end_attempt()) return false;
        given_up_ = true;
        act_open_ = true;
        return true;
      case kVerified:
        if (!end_attempt()) return false;
        world_yes_ = true;
        act_open_ = true;
        return true;
      case kCannotKnow:
        if (!run_open_ && (!act_open_ || act_unsure_)) return false;
        *this = Model();
        lost_ = true;
        return true;
      case kActUnsure:
        if (!act_open_ || act_unsure_) return false;
        act_unsure_ = true;
        return true;
      case kActDone:
        if (!act_open_) return false;
        close(world_yes_ ? "done" : "gave_up");
        return true;
      case kActNotDone:
        if (!act_open_) return false;
        act_unsure_ = false;
        return true;
      case kActGivenUp:
        if (!act_open_) return false;
        close("gave_up");
        return true;
      case kRetried:
        if (run_open_ || (act_open_ && !(given_up_ && act_unsure_))) return false;
        *this = Model();
        return true;
      case kActRetried:
        if (!lost_ && closed_ != "gave_up" && !(act_unsure_ && world_yes_)) return false;
        *this = Model();
        world_yes_ = true;
        act_open_ = true;
        return true;
      case kSettled:
        if (run_open_ || (given_up_ && act_open_ && !act_unsure_)) return false;
        close("done");
        return true;
    }
    return false;
  }

  [[nodiscard]] std::string state() const {
    if (!closed_.empty()) return closed_;
    if (lost_) return "unknown";
    if (run_open_) return "running";
    if (asking_) return "verifying";
    if (world_yes_) return act_unsure_ ? "success_unsure" : "succeeding";
    if (given_up_) return act_unsure_ ? "failure_unsure" : "failing";
    return "waiting";
  }

 private:
  [[nodiscard]] bool idle() const { return state() == "waiting"; }
  bool end_attempt() {
    if (!run_open_ && !asking_) return false;
    run_open_ = false;
    asking_ = false;
    return true;
  }
  void close(const char* how) {
    *this = Model();
    closed_ = how;
  }

  bool run_open_ = false;   // a run whose outcome was not accounted for
  bool asking_ = false;     // a claim that the world was not yet asked about
  bool world_yes_ = false;  // it is done
  bool given_up_ = false;
  bool act_open_ = false;    // what follows is not done
  bool act_unsure_ = false;  // or nobody knows
  bool lost_ = false;
  std::string closed_;
};

void compare(ItemState state, const Model& model, std::size_t left) {
  ASSERT_EQ(to_text(state), model.state());
  if (left == 0) return;
  for (const ItemEvent event : all_events()) {
    Model then = model;
    const auto followed = next(state, event);
    ASSERT_EQ(then.happen(event), followed.has_value())
        << to_text(event) << " in " << to_text(state);
    if (followed) compare(*followed, then, left - 1);
  }
}

TEST(ItemTable, TableAndModelAgreeOverAllShortSequences) { compare(kWaiting, Model{}, 7); }

bool is_a_persons(ItemEvent event) {
  return event == kRetried || event == kActRetried || event == kSettled;
}

TEST(ItemTable, ARunIsClaimedOnlyOutOfWaiting) {
  for (const ItemState from : all_states()) {
    for (const ItemEvent event : all_events()) {
      if (next(from, event) != kRunning) continue;
      EXPECT_EQ(from, kWaiting);
      EXPECT_EQ(event, kClaimed);
    }
  }
}

TEST(ItemTable, NothingIsTriedAgainButAfterADefiniteFailureAProofOrAPersonsWord) {
  for (const ItemState from : all_states()) {
    for (const ItemEvent event : all_events()) {
      if (next(from, event) != kWaiting) continue;
      EXPECT_TRUE(event == kFailed || event == kNotStarted || is_a_persons(event))
          << to_text(event);
    }
  }
}

TEST(ItemTable, DoneIsReachedOnlyThroughVerified) {
  // Without a person's word and without `verified`, is there a way to done?
  std::vector<ItemState> reached{kWaiting};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const ItemEvent event : all_events()) {
      if (is_a_persons(event) || event == kVerified) continue;
      const auto to = next(reached[i], event);
      if (to && std::ranges::find(reached, *to) == reached.end()) reached.push_back(*to);
    }
  }
  EXPECT_EQ(std::ranges::find(reached, kDone), reached.end());
  EXPECT_EQ(std::ranges::find(reached, kSucceeding), reached.end());
}

TEST(ItemTable, FromUnknownOnlyAPersonGetsOnAndEveryOtherOpenStateGetsOnByItself) {
  for (const ItemState state : all_states()) {
    bool by_itself = false;
    for (const ItemEvent event : all_events()) {
      const auto to = next(state, event);
      by_itself = by_itself || (!is_a_persons(event) && to && *to != state);
    }
    EXPECT_EQ(by_itself, state != kUnknown && !is_over(state)) << to_text(state);
  }
}

// `running --> waiting: not started, failed`, one line for each pair of states.
std::string drawing() {
  std::string text;
  for (const ItemState from : all_states()) {
    for (const ItemState to : all_states()) {
      std::string events;
      for (const ItemEvent event : all_events()) {
        if (next(from, event) != to) continue;
        events += (events.empty() ? "" : ", ") + std::string(to_text(event));
      }
      if (events.empty()) continue;
      text += "    " + std::string(to_text(from)) + " --> " + std::string(to_text(to)) + ": " +
              events + "\n";
    }
  }
  return text;
}

TEST(ItemTable, DrawingInTheDocumentsIsTheTable) {
  std::ifstream page(HF_LOOPS_PAGE);
  ASSERT_TRUE(page);
  std::string drawn;
  for (std::string line; std::getline(page, line);) {
    if (line.find(" --> ") != line.npos && line.find("[*]") == line.npos) drawn += line + "\n";
  }
  EXPECT_EQ(drawn, drawing()) << "docs/loops.md should hold:\n" << drawing();
}

}  // namespace
}  // namespace holdfast::loop
