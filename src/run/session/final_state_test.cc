// SPDX-License-Identifier: Apache-2.0
//
// `run` answers from what the supervisor saw, `wait`, iterations and loops from what the record
// says. Both take the code from format/session/outcome.h; whatever happens, it must be the same.
#include "run/session/final_state.h"

#include <gtest/gtest.h>

#include "format/session/outcome.h"
#include "format/session/session_test_values.h"
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
  const auto answer = outcome_of(record.state, record);
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
  EXPECT_EQ(outcome_of(kLost, small_session())->code, 69);
}

TreeReport faulty(TreeReport report, ErrorCode code) {
  report.fault = Error{.code = code};
  return report;
}
TreeReport not_begun(ErrorCode code) {
  TreeReport report = not_started(StartFailure::Kind::kNotReached);
  report.commands.front().start_failure.reset();
  return faulty(std::move(report), code);
}

TEST(FinalState, RunAndWaitHaveTheSameCodeForEveryFault) {
  using enum SessionState;
  for (const ErrorCodeInfo& one : kErrorCodes) {
    SCOPED_TRACE(one.name);
    for (const SessionState before : {kReserved, kStarting}) {
      expect_the_same(before, not_begun(one.code), to_int(code_before_start(one.code)));
    }
    expect_the_same(kRunning, faulty(exit_of(5), one.code), to_int(one.exit));
    expect_the_same(kRunning, faulty(exit_of(0), one.code), to_int(one.exit));
    expect_the_same(kStopping, faulty(death_of(9), one.code), to_int(one.exit));
    expect_the_same(kRunning, faulty(late(death_of(9)), one.code), 124);
    expect_the_same(kVerifying, faulty(verified_as(Verified::kRefuted), one.code), 76);
    expect_the_same(kVerifying, faulty(verified_as(Verified::kCannotTell), one.code), 76);
    for (const StartFailure::Kind kind :
         {StartFailure::Kind::kNotFound, StartFailure::Kind::kNotExecutable}) {
      expect_the_same(kStarting, faulty(not_started(kind), one.code),
                      kind == StartFailure::Kind::kNotFound ? 127 : 126);
    }
  }
}

TEST(FinalState, RunAndWaitHaveTheSameCodeWhoeverEndedIt) {
  using enum SessionState;
  using supervise::EndedBy;
  for (const EndedBy by : {EndedBy::kNobody, EndedBy::kStop, EndedBy::kLost, EndedBy::kFault}) {
    SCOPED_TRACE(name(by));
    TreeReport report = death_of(15);
    report.ended_by = by;
    expect_the_same(kStopping, report, 143);
    report = exit_of(0);
    report.ended_by = by;
    expect_the_same(kStopping, report, 0);
  }
  for (const EndedBy by : {EndedBy::kDeadline, EndedBy::kIdle, EndedBy::kBudget}) {
    TreeReport report = late(death_of(15));
    report.ended_by = by;
    expect_the_same(kStopping, report, 124);
  }
  TreeReport oom = death_of(9);
  oom.oom_killed = 1;
  expect_the_same(kRunning, oom, 137);
}

// It is not over then, and `wait` goes on.
TEST(FinalState, WithSurvivorsTheRecordIsNotFinal) {
  TreeReport left = exit_of(0);
  left.empty = false;
  EXPECT_EQ(supervise::judge(to_run_report(left)).code, 72);
  SessionRecord record = small_session();
  record.state = SessionState::kStopping;
  note_outcome(record, left);
  EXPECT_FALSE(outcome_of(record.state, record)) << to_text(record.state);
}

}  // namespace
}  // namespace holdfast::run
