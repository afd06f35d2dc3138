// SPDX-License-Identifier: Apache-2.0
#include "loop/series/wait_reply.h"

#include <gtest/gtest.h>

#include "format/session/session_test_values.h"

// A namespace of its own: other tests of the folder name states of items.
namespace holdfast::loop::wait_reply_test {
namespace {

using session::SessionView;
using session::Tree;

SessionView view_of(SessionState state, bool known = true, Tree tree = Tree::kUnproven) {
  SessionView view;
  view.record = small_session();
  view.record.exit_code = 3;
  view.state = state;
  view.known = known;
  view.tree = tree;
  return view;
}

int code_of(const SessionView& view, std::optional<SessionState> wanted = std::nullopt) {
  const auto reply = wait_reply(view, wanted);
  return reply ? reply->code : -1;
}

TEST(WaitReply, TheEndIsAnsweredWithTheSessionsOwnCode) {
  using enum SessionState;
  for (const SessionState state : {kReserved, kStarting, kRunning, kStopping, kVerifying}) {
    EXPECT_EQ(code_of(view_of(state)), -1) << to_text(state);
  }
  EXPECT_EQ(code_of(view_of(kExited)), 3);
  EXPECT_EQ(code_of(view_of(kTimedOut)), 124);
  EXPECT_EQ(code_of(view_of(kLost)), 69);
}

TEST(WaitReply, AnOrphanIsWaitedForWhileSomethingOfItLives) {
  using enum SessionState;
  EXPECT_EQ(code_of(view_of(kOrphaned, true, Tree::kLives)), -1);
  EXPECT_EQ(code_of(view_of(kOrphaned, true, Tree::kUnproven)), 69);
  EXPECT_EQ(code_of(view_of(kOrphaned, false)), -1);
}

TEST(WaitReply, AStateThatCanNoLongerComeIsNo) {
  using enum SessionState;
  EXPECT_EQ(code_of(view_of(kRunning), kRunning), 0);
  EXPECT_EQ(code_of(view_of(kReserved), kRunning), -1);
  EXPECT_EQ(code_of(view_of(kExited), kRunning), 66);
  EXPECT_EQ(code_of(view_of(kRunning), kFailed), 66);
  EXPECT_EQ(code_of(view_of(kExited), kExited), 0);
  EXPECT_EQ(code_of(view_of(kRunning, false), kFailed), -1);  // it cannot be told
  EXPECT_EQ(code_of(view_of(kOrphaned, true, Tree::kUnproven), kOrphaned), 0);
}

TEST(WaitReply, ASeriesIsWaitedForToItsOwnEnd) {
  using enum SessionState;
  using Kind = SeriesStatus::Kind;
  const auto code = [](Kind kind, const SeriesRecord& record, std::optional<SessionView> view,
                       std::optional<SessionState> wanted = std::nullopt) {
    SeriesStatus status{.kind = kind, .record = record};
    const auto reply = wait_reply(view, status, wanted);
    return reply ? reply->code : -1;
  };
  SeriesRecord series{.name = "s"};
  EXPECT_EQ(code(Kind::kNone, series, view_of(kExited)), 3);
  EXPECT_EQ(code(Kind::kGoesOn, series, view_of(kExited)), -1);
  EXPECT_EQ(code(Kind::kGoesOn, series, std::nullopt), -1);
  EXPECT_EQ(code(Kind::kGoesOn, series, view_of(kExited), kRunning), -1);  // it comes again
  EXPECT_EQ(code(Kind::kGoesOn, series, view_of(kRunning), kRunning), 0);
  EXPECT_EQ(code(Kind::kStopped, series, view_of(kExited)), 69);
  EXPECT_EQ(code(Kind::kStopped, series, view_of(kRunning)), -1);
  EXPECT_EQ(code(Kind::kStopped, series, view_of(kExited), kRunning), 66);
  series.history = {{.code = 0, .asked = true}};
  EXPECT_EQ(code(Kind::kStopped, series, view_of(kExited)), 143);
  series.over = SeriesReason::kIterations;
  series.code = 76;
  EXPECT_EQ(code(Kind::kOver, series, view_of(kExited)), 76);
}

}  // namespace
}  // namespace holdfast::loop::wait_reply_test
