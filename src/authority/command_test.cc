// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "authority/ask.h"
#include "testing/temp_dir.h"

namespace holdfast::authority {
namespace {

using std::chrono::seconds;

Answer run(const std::string& command, Duration timeout = seconds(20)) {
  return ask({.kind = AuthorityKind::kCommand, .command = command}, timeout);
}

Verdict command_verdict_of(const std::string& id, const Answer& answer) {
  const Authority authority = describe({AuthorityKind::kCommand, id}).value();
  return judge(authority, "the-session", &answer);
}

TEST(Command, ListsOneLiveSessionPerLine) {
  const Answer answer = run("printf 'jobs/1\\n2\\nthe session\\n'");
  ASSERT_TRUE(answer.told) << answer.detail;
  EXPECT_EQ(answer.exist.size(), 3U);
  EXPECT_EQ(command_verdict_of("jobs/1", answer).vouched, Vouched::kLive);
  EXPECT_EQ(command_verdict_of("jobs/2", answer).vouched, Vouched::kLive);
  EXPECT_EQ(command_verdict_of("jobs/3", answer).vouched, Vouched::kDead);
}

TEST(Command, NothingPrintedWithStatus0ListsNobody) {
  const Answer answer = run("true");
  ASSERT_TRUE(answer.told) << answer.detail;
  EXPECT_TRUE(answer.exist.empty());
}

TEST(Command, WhatABrokenProducerPrintsIsGarbled) {
  for (const char* command :
       {"printf 'a\\nb'", "echo", "printf 'a\\n\\nb\\n'", "printf 'a\\tb\\n'", "printf 'a\\r\\n'",
        "printf '\\377\\n'", "printf '%01100d\\n' 1", "printf 'a\\0\\n'"}) {
    const Answer answer = run(command);
    EXPECT_FALSE(answer.told) << command;
    EXPECT_EQ(answer.reason, "garbled") << command;
    EXPECT_EQ(command_verdict_of("x", answer).vouched, Vouched::kUnknown) << command;
  }
}

TEST(Command, EndlessOutputIsGarbledAndNotKept) {
  EXPECT_EQ(run("yes", seconds(60)).reason, "garbled");
}

TEST(Command, AFailureIsNoAnswerWhateverWasPrinted) {
  EXPECT_EQ(run("echo a; exit 1").reason, "failed");
  EXPECT_EQ(run("echo a; kill -9 $$").reason, "failed");
  EXPECT_EQ(run("no-such-program-anywhere").reason, "failed");
  EXPECT_EQ(run("").reason, "not-asked");
}

TEST(Command, OneThatHangsIsEndedWithAllItStarted) {
  const testing::TempDir temp;
  const std::string note = temp.path("pid");
  const Answer answer = run("sleep 1000 & echo $! >'" + note + "'; wait", seconds(3));
  EXPECT_EQ(answer.reason, "timed-out");
  int pid = 0;
  std::ifstream(note) >> pid;
  ASSERT_GT(pid, 0);
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST(Command, WhoeverIsAskedToEndMeanwhileHasNoAnswer) {
  const std::string asker = std::to_string(::getpid());
  const Answer answer = run("kill -TERM " + asker + "; sleep 1000; echo a");
  EXPECT_EQ(answer.reason, "interrupted") << answer.detail;
}

TEST(Command, ReadsNothing) { EXPECT_TRUE(run("cat").told); }

}  // namespace
}  // namespace holdfast::authority
