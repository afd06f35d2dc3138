// SPDX-License-Identifier: Apache-2.0
//
// The table against a model that is written down differently (what a session *has*, not where it
// is), over all short sequences of events; and against the drawing in docs/sessions.md.
#include "session/record/transition.h"

#include <gtest/gtest.h>

#include <fstream>

namespace holdfast::session {
namespace {

using enum SessionState;

std::vector<Event> all_events() {
  std::vector<Event> events;
  for (std::size_t i = 0; i < kEvents; ++i) events.push_back(static_cast<Event>(i));
  return events;
}
std::vector<SessionState> all_states() {
  std::vector<SessionState> states;
  for (std::size_t i = 0; i < kSessionStates; ++i) states.push_back(static_cast<SessionState>(i));
  return states;
}

// Facts, and what each event needs and changes. Slow and obvious.
class Model {
 public:
  // False: it cannot happen.
  bool happen(Event event) {
    if (over_) return false;
    switch (event) {
      case Event::kSupervisorThere:
        if (has_supervisor_ || !attended_) return false;
        has_supervisor_ = true;
        return true;
      case Event::kCouldNotStart:
        return !let_go_ && attended_ && end("failed");
      case Event::kGateOpened:
        if (!has_supervisor_ || let_go_ || !attended_) return false;
        let_go_ = true;
        return true;
      case Event::kBeingEnded:
        if (!let_go_ || tree_gone_ || !attended_) return false;
        ending_ = true;
        return true;
      case Event::kToVerify:
        if (!let_go_ || tree_gone_ || !attended_) return false;
        tree_gone_ = true;
        return true;
      case Event::kConfirmed:
        return tree_gone_ && attended_ && end("exited");
      case Event::kRefuted:
        return tree_gone_ && attended_ && end("unverified");
      case Event::kExited:
        return tree_may_end() && end("exited");
      case Event::kKilled:
        return tree_may_end() && end("killed");
      case Event::kTimedOut:
        return tree_may_end() && end("timed_out");
      case Event::kSupervisorGone:
        if (!has_supervisor_) return end("failed");
        attended_ = false;
        // Whether the gate was opened, or the tree had gone, nobody knows any more.
        let_go_ = true;
        tree_gone_ = false;
        ending_ = false;
        return true;
      case Event::kAdopted:
      case Event::kAdoptedToEnd:
        if (attended_) return false;
        attended_ = true;
        ending_ = event == Event::kAdoptedToEnd;
        return true;
      case Event::kTreeGone:
        return !attended_ && end("lost");
      case Event::kRebooted:
        return end("lost");
      case Event::kAssumedGone:
        return (!attended_ || (ending_ && !tree_gone_)) && end("lost");
    }
    return false;
  }

  [[nodiscard]] std::string state() const {
    if (over_) return *over_;
    if (!has_supervisor_) return "reserved";
    if (!attended_) return "orphaned";
    if (!let_go_) return "starting";
    if (tree_gone_) return "verifying";
    return ending_ ? "stopping" : "running";
  }

 private:
  [[nodiscard]] bool tree_may_end() const { return has_supervisor_ && attended_ && !tree_gone_; }
  bool end(const char* how) {
    over_ = how;
    return true;
  }

  bool has_supervisor_ = false;
  bool attended_ = true;  // by whoever reserved it, by a supervisor, by an adopter
  bool let_go_ = false;
  bool tree_gone_ = false;
  bool ending_ = false;
  std::optional<std::string> over_;
};

void compare(SessionState state, const Model& model, std::size_t left) {
  ASSERT_EQ(to_text(state), model.state());
  if (left == 0) return;
  for (const Event event : all_events()) {
    Model then = model;
    const auto followed = next(state, event);
    ASSERT_EQ(then.happen(event), followed.has_value())
        << to_text(event) << " in " << to_text(state);
    if (followed) compare(*followed, then, left - 1);
  }
}

TEST(SessionTransition, TableAndModelAgreeOverAllShortSequences) { compare(kReserved, Model{}, 7); }

TEST(SessionTransition, NothingLeadsOutOfAFinalState) {
  for (const SessionState state : all_states()) {
    bool leads_out = false;
    for (const Event event : all_events()) leads_out = leads_out || next(state, event).has_value();
    EXPECT_EQ(leads_out, !is_final(state)) << to_text(state);
  }
}

TEST(SessionTransition, FailedIsSaidOnlyOfWhatNeverRan) {
  for (const SessionState state : all_states()) {
    EXPECT_EQ(can_become(state, kFailed),
              state == kReserved || state == kStarting || state == kFailed)
        << to_text(state);
  }
}

TEST(SessionTransition, EveryStateIsReachedAndEverySessionCanEnd) {
  for (const SessionState state : all_states()) {
    EXPECT_TRUE(can_become(kReserved, state)) << to_text(state);
    bool ends = false;
    for (const SessionState final_state : all_states()) {
      ends = ends || (is_final(final_state) && can_become(state, final_state));
    }
    EXPECT_TRUE(ends) << to_text(state);
  }
  EXPECT_FALSE(can_become(kRunning, kStarting));
  EXPECT_FALSE(can_become(kExited, kRunning));
  EXPECT_TRUE(can_become(kOrphaned, kRunning));
}

// `running --> stopping: being ended`, one line for each pair of states.
std::string drawing() {
  std::string text;
  for (const SessionState from : all_states()) {
    for (const SessionState to : all_states()) {
      std::string events;
      for (const Event event : all_events()) {
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

TEST(SessionTransition, DrawingInTheDocumentsIsTheTable) {
  std::ifstream page(HF_SESSIONS_PAGE);
  ASSERT_TRUE(page);
  std::string drawn;
  for (std::string line; std::getline(page, line);) {
    if (line.find(" --> ") != line.npos && line.find("[*]") == line.npos) drawn += line + "\n";
  }
  EXPECT_EQ(drawn, drawing()) << "docs/sessions.md should hold:\n" << drawing();
}

}  // namespace
}  // namespace holdfast::session
