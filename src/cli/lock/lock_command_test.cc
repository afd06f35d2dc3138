// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_command.h"

#include <gtest/gtest.h>

#include "format/json/json.h"
#include "run/lock/lock_text.h"

namespace holdfast::cli {
namespace {

using supervise::By;

// A command that ran under the lock and exited with `code`.
run::LockRunResult ran(int code) {
  supervise::RunReport report;
  report.started = WallTime();
  report.left_alone = true;
  report.pid = os::Pid{77};
  report.end = os::ChildEnd{.pid = os::Pid{77}, .value = code};
  run::LockRunResult answer{.label = "x"};
  answer.outcome = lock::AcquireOutcome{.kind = lock::AcquireOutcome::Kind::kGranted};
  answer.grant = lock::Grant{.token = Id128{}, .fence = 9};
  answer.report = std::move(report);
  return answer;
}

run::LockRunResult refused(ErrorCode code, std::string cause) {
  run::LockRunResult answer{.label = "x"};
  answer.error = Error{.code = code, .op = "get the lock", .cause = std::move(cause)};
  return answer;
}

TEST(LockAnswer, ALostLockIs76WhateverTheCommandSaid) {
  for (const int code : {0, 1, 75}) {
    run::LockRunResult answer = ran(code);
    EXPECT_EQ(verdict_of(answer, std::nullopt).code, code);
    EXPECT_EQ(verdict_of(answer, std::nullopt).by, By::kCommand);
    answer.lost = "renew";
    const auto verdict = verdict_of(answer, 3);
    EXPECT_EQ(verdict.code, 76);
    EXPECT_EQ(verdict.by, By::kHoldfast);
    EXPECT_EQ(verdict.exit_code, code);
    EXPECT_EQ(lock_error(answer, verdict, "make")->cause, "lost");
  }
}

TEST(LockAnswer, SurvivorsOfALostLockAreWorseThanTheLoss) {
  run::LockRunResult answer = ran(0);
  answer.lost = "renew";
  answer.report->left_alone = false;
  EXPECT_EQ(verdict_of(answer, std::nullopt).code, 72);
}

TEST(LockAnswer, OwnFailuresBeforeTheStartAre125AndRefusalsStayThemselves) {
  EXPECT_EQ(verdict_of(refused(ErrorCode::kIo, "enospc"), 3).code, 125);
  EXPECT_EQ(verdict_of(refused(ErrorCode::kOsRefused, "eacces"), 3).code, 125);
  EXPECT_EQ(verdict_of(refused(ErrorCode::kOsRefused, "survivors"), 3).code, 72);
  EXPECT_EQ(verdict_of(refused(ErrorCode::kRefused, "is-link"), 3).code, 77);
  EXPECT_EQ(verdict_of(refused(ErrorCode::kCannotTell, "newer-version"), 3).code, 69);
  EXPECT_EQ(verdict_of(refused(ErrorCode::kBusy, "timeout"), std::nullopt).code, 75);
  EXPECT_EQ(verdict_of(refused(ErrorCode::kBusy, "timeout"), 3).code, 3);
  EXPECT_EQ(verdict_of(refused(ErrorCode::kBusy, "timeout"), 0).code, 0);
}

TEST(LockAnswer, TheTokenIsNowhereInTheDocument) {
  run::LockRunResult answer = ran(0);
  answer.grant->token.bytes.fill(0xab);
  const Json fields = lock_fields(answer, verdict_of(answer, std::nullopt));
  EXPECT_EQ(fields.dump().find("abab"), std::string::npos);
  EXPECT_EQ(fields["fence"], 9);
}

TEST(LockAnswer, AHolderWithoutANumberHereIsSaidToBeElsewhere) {
  lock::AcquireOutcome outcome;
  outcome.holder = {.host = "db1"};
  const Error error = run::not_granted("x", outcome, {.wait = Duration::zero()});
  EXPECT_EQ(error.cause, "timeout");
  EXPECT_NE(error.detail.find("another pid namespace"), std::string::npos);
  EXPECT_NE(error.detail.find("db1"), std::string::npos);
}

TEST(FailOpen, CausesAreTheReasonsThatCanBeNamed) {
  const auto reason = [](std::string cause) {
    return run::fail_open_reason({.code = ErrorCode::kIo, .cause = std::move(cause)});
  };
  EXPECT_EQ(reason("enospc"), "enospc");
  EXPECT_EQ(reason("edquot"), "enospc");
  EXPECT_EQ(reason("eperm"), "eacces");
  EXPECT_EQ(reason("guard-timeout"), "guard-timeout");
  EXPECT_EQ(reason("eio"), "eio");
  EXPECT_EQ(reason("enfile"), "emfile");
  EXPECT_EQ(run::fail_open_reason({.code = ErrorCode::kCannotTell, .cause = "holder-unknown"}),
            "unknown");
  EXPECT_EQ(reason("deadlock"), std::nullopt);
  EXPECT_EQ(reason("is-link"), std::nullopt);
  EXPECT_EQ(reason(""), std::nullopt);
}

}  // namespace
}  // namespace holdfast::cli
