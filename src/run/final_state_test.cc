// SPDX-License-Identifier: Apache-2.0
//
// Two tables say the exit code of a run: supervise/verdict.h from what the supervisor saw, for
// `run`, and session/record/exit_code.h from what the record says, for `wait`. They must not part.
#include "run/final_state.h"

#include <gtest/gtest.h>

#include "format/session/session_test_values.h"
#include "session/record/exit_code.h"
#include "supervise/verdict.h"

namespace holdfast::run {
namespace {

using os::StartFailure;
using supervise::TreeReport;
using supervise::Verified;

TreeReport report_of(std::optional<os::ChildEnd> end) {
  TreeReport report;
  report.started = WallTime{};
  report.empty = true;
  report.commands.push_back({.pid = os::Pid{7}, .start_failure = {}, .end = end});
  return report;
}
TreeReport exit_of(int code) { return report_of(os::ChildEnd{.pid = os::Pid{7}, .value = code}); }
TreeReport death_of(int signal) {
  return report_of(
      os::ChildEnd{.pid = os::Pid{7}, .how = os::ChildEnd::How::kSignalled, .value = signal});
}
TreeReport not_started(StartFailure::Kind kind) {
  TreeReport report = report_of(std::nullopt);
  report.started.reset();
  report.commands.front().start_failure = StartFailure{.kind = kind};
  return report;
}
TreeReport verified_as(Verified verified) {
  TreeReport report = exit_of(0);
  report.verified = verified;
  return report;
}
TreeReport late(TreeReport report) {
  report.deadline_fired = true;
  report.ended_by = supervise::EndedBy::kDeadline;
  return report;
}

void expect_the_same(SessionState before, const TreeReport& report, int code) {
  const supervise::Verdict verdict = supervise::judge(to_run_report(report));
  EXPECT_EQ(verdict.code, code);
  SessionRecord record = small_session();
  record.state = before;
  note_outcome(record, report);
  const auto answer = session::answer_of(record.state, record);
  ASSERT_TRUE(answer) << to_text(record.state);
  EXPECT_EQ(answer->code, verdict.code) << to_text(record.state);
  EXPECT_EQ(answer->by_command, verdict.by == supervise::By::kCommand) << to_text(record.state);
}

TEST(FinalState, RunAndWaitHaveTheSameCodeForEveryEnd) {
  using enum SessionState;
  for (const int code : {0, 1, 69, 75, 124, 127, 137, 255}) {
    expect_the_same(kRunning, exit_of(code), code);
  }
  expect_the_same(kRunning, death_of(9), 137);
  expect_the_same(kRunning, death_of(15), 143);
  expect_the_same(kRunning, late(exit_of(0)), 124);
  expect_the_same(kRunning, late(death_of(9)), 124);
  expect_the_same(kVerifying, verified_as(Verified::kConfirmed), 0);
  expect_the_same(kVerifying, verified_as(Verified::kRefuted), 76);
  expect_the_same(kVerifying, verified_as(Verified::kCannotTell), 76);
  expect_the_same(kStarting, not_started(StartFailure::Kind::kNotFound), 127);
  expect_the_same(kStarting, not_started(StartFailure::Kind::kNotExecutable), 126);
  expect_the_same(kStarting, not_started(StartFailure::Kind::kNotReached), 125);

  TreeReport gone;
  gone.supervisor_gone = true;
  EXPECT_EQ(supervise::judge(to_run_report(gone)).code, 69);
  EXPECT_EQ(session::answer_of(kLost, small_session())->code, 69);
}

// What only the one that looked on can say (session/record/exit_code.h).
TEST(FinalState, TheyPartWhereTheRecordDoesNotSayIt) {
  using enum SessionState;
  TreeReport faulty = exit_of(5);
  faulty.fault = Error{.code = ErrorCode::kIo};
  EXPECT_EQ(supervise::judge(to_run_report(faulty)).code, 74);
  SessionRecord record = small_session();
  record.state = kRunning;
  note_outcome(record, faulty);
  EXPECT_EQ(session::answer_of(record.state, record)->code, 5);

  TreeReport busy = not_started(StartFailure::Kind::kNotReached);
  busy.commands.front().start_failure.reset();
  busy.fault = Error{.code = ErrorCode::kBusy};
  EXPECT_EQ(supervise::judge(to_run_report(busy)).code, 75);
  record = small_session();
  record.state = kStarting;
  note_outcome(record, busy);
  EXPECT_EQ(session::answer_of(record.state, record)->code, 125);

  TreeReport left = exit_of(0);
  left.empty = false;
  EXPECT_EQ(supervise::judge(to_run_report(left)).code, 72);
  record = small_session();
  record.state = kStopping;
  note_outcome(record, left);
  EXPECT_FALSE(session::answer_of(record.state, record)) << to_text(record.state);
}

}  // namespace
}  // namespace holdfast::run
