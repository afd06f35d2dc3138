// SPDX-License-Identifier: Apache-2.0
//
// What counts as a denial, and what only looks like one. The clients are scripts that answer by id
// as the real ones do, or otherwise (the real podman is in tests/cli/gc_podman_*.sh).
#include <gtest/gtest.h>

#include <signal.h>
#include <unistd.h>
#include <fstream>

#include "authority/ask.h"
#include "authority/client_fixture.h"
#include "authority/engine.h"
#include "proc/identity/identity.h"
#include "testing/processes.h"
#include "testing/temp_dir.h"

namespace holdfast::authority {
namespace {

using std::chrono::seconds;

// A docker without containers; `by_id` is what it does when it is asked for one.
void docker_by_id(const StandIn& stand_in, const std::string& by_id, const std::string& id = "D",
                  const std::string& root = "/var/lib/docker") {
  stand_in.file("info", R"({"ID":")" + id +
                            R"(","Containers":0,"ServerVersion":"28","DockerRootDir":")" + root +
                            R"(","IndexServerAddress":"https://index.docker.io/v1/"})" + "\n");
  stand_in.client("docker", R"(here=${0%/*}
[ "$1" = --context ] && shift 2
case $1 in
  context) echo '[{"Name":"here","Endpoints":{"docker":{"Host":"tcp://there:1"}}}]' ;;
  info) cat "$here/info" ;;
  container) for name; do :; done; )" +
                                by_id + R"( ;;
esac)");
}

Verdict confirmed(const Authority& authority) {
  const Question question = question_for(authority).value();
  const Answer answer = ask(question, seconds(20));
  const Verdict listed = judge(authority, "s", &answer);
  EXPECT_EQ(listed.reason, "not-listed");
  EXPECT_TRUE(listed.to_confirm);
  return confirm(question, answer, {authority}, seconds(20)).at(0);
}

TEST(Confirm, DockerDeniesInItsOwnWordsOnly) {
  const StandIn stand_in;
  docker_by_id(stand_in, "exit 9");
  const Authority web = describe({AuthorityKind::kDocker, "web"}).value();
  for (
      const char* denial :
      {R"(echo; echo "Error response from daemon: No such container: $name" >&2; exit 1)",
       R"(echo; echo "Error: No such container: $name" >&2; exit 1)",
       R"(echo; echo "Error response from daemon: no container with name or ID \"$name\" found: no such container" >&2; exit 1)"}) {
    docker_by_id(stand_in, denial);
    const Verdict verdict = confirmed(web);
    EXPECT_EQ(verdict.vouched, Vouched::kDead) << denial;
    EXPECT_EQ(verdict.reason, "no-such-container") << denial;
    EXPECT_TRUE(verdict.by_identity);
  }
  for (const char* other :
       {"exit 1", "echo; exit 1", "exit 0x", "kill -9 $$", "echo garbage; exit 1",
        R"(echo "Error: No such container: $name" >&2; exit 2)",
        R"(echo "Error: No such container: other" >&2; exit 1)",
        R"(echo "Error: No such container: $name"; echo more; exit 1)",
        R"(echo "Error: No such object: $name" >&2; exit 1)",
        R"(echo "Cannot connect: No such container: $name" >&2; exit 1)",
        R"(echo "Error: No such container: $name and more" >&2; exit 1)"}) {
    docker_by_id(stand_in, other);
    EXPECT_EQ(confirmed(web).reason, "failed") << other;
  }
  docker_by_id(stand_in, "echo something; exit 0");
  EXPECT_EQ(confirmed(web).vouched, Vouched::kLive);
}

TEST(Confirm, AnotherStoreIsAnotherDaemonAlsoBetweenTheListAndTheQuestion) {
  const StandIn stand_in;
  const std::string deny = R"(echo "Error: No such container: $name" >&2; exit 1)";
  docker_by_id(stand_in, deny);
  const Authority web = describe({AuthorityKind::kDocker, "web"}).value();
  EXPECT_EQ(web.daemon, "D root /var/lib/docker");
  docker_by_id(stand_in, deny, "D", "/srv/docker");
  const Answer answer = ask(question_for(web).value(), seconds(20));
  EXPECT_EQ(judge(web, "s", &answer).reason, "other-daemon");

  stand_in.file("switched", R"({"ID":"E","Containers":0,"ServerVersion":"28"})");
  docker_by_id(stand_in, R"(mv "$here/switched" "$here/info"; )" + deny);
  EXPECT_EQ(confirmed(web).reason, "other-daemon");
}

TEST(Confirm, ARecordOf01WithoutTheStoreIsStillTheSameDaemonAndIsBraked) {
  const StandIn stand_in;
  docker_by_id(stand_in, "exit 9");
  Authority web = describe({AuthorityKind::kDocker, "web"}).value();
  web.daemon = "D";
  const Answer answer = ask(question_for(web).value(), seconds(20));
  const Verdict verdict = judge(web, "s", &answer);
  EXPECT_EQ(verdict.reason, "not-listed");
  EXPECT_FALSE(verdict.to_confirm);
}

// An id of the form of old daemons is kept beside their configuration, and this store is not seen.
TEST(Confirm, AnIdThatIsKeptOutsideOfTheStoreIsNoProof) {
  const StandIn stand_in;
  docker_by_id(stand_in, "exit 9", "AAAA:BBBB");
  const Authority web = describe({AuthorityKind::kDocker, "web"}).value();
  const Answer answer = ask(question_for(web).value(), seconds(20));
  EXPECT_FALSE(judge(web, "s", &answer).to_confirm);
}

TEST(Confirm, SystemdSaysNotFoundAndNothingElseIsADenial) {
  const StandIn stand_in;
  const auto systemctl = [&](const std::string& show) {
    stand_in.client("systemctl", R"(case "$*" in
  *list-unit-files*) echo '[]' ;;
  *list-units*) echo '[{"unit":"-.slice","load":"loaded","active":"active"}]' ;;
  *) )" + show + R"( ;;
esac)");
  };
  systemctl("exit 1");
  const Authority job = describe({AuthorityKind::kSystemd, "user:job"}).value();
  EXPECT_EQ(confirmed(job).reason, "failed");
  systemctl("echo garbage");
  EXPECT_EQ(confirmed(job).reason, "garbled");
  systemctl("echo LoadState=not-found");
  EXPECT_EQ(confirmed(job).reason, "garbled");
  systemctl("echo LoadState=masked; echo ActiveState=inactive");
  EXPECT_EQ(confirmed(job).vouched, Vouched::kLive);
  systemctl("echo LoadState=not-found; echo ActiveState=active");
  EXPECT_EQ(confirmed(job).vouched, Vouched::kLive);
  systemctl("echo LoadState=not-found; echo ActiveState=inactive");
  EXPECT_EQ(confirmed(job).reason, "no-such-unit");
}

// Where a process vouches for a session, the kernel is asked, with real ones.
TEST(Judge, AProcessIsJudgedByTheKernel) {
  const testing::WaitingChild child;
  Authority authority =
      describe({AuthorityKind::kProcess, std::to_string(os::number(child.pid()))}).value();
  EXPECT_FALSE(question_for(authority));
  EXPECT_EQ(judge(authority, "s", nullptr).vouched, Vouched::kLive);
  child.kill();
  child.wait_for_end();
  const Verdict dead = judge(authority, "s", nullptr);
  EXPECT_EQ(dead.vouched, Vouched::kDead);
  EXPECT_TRUE(dead.by_identity);
  authority.process.reset();
  EXPECT_EQ(judge(authority, "s", nullptr).vouched, Vouched::kUnknown);
}

TEST(Judge, ADeadServerOfTmuxTakesItsSessionsWithItWhoeverAnswers) {
  const testing::WaitingChild child;
  Id128 machine;
  machine.bytes[0] = 1;
  Authority authority{.kind = AuthorityKind::kTmux,
                      .id = "web",
                      .daemon = "store",
                      .endpoint = "local",
                      .machine = machine};
  authority.process = proc::to_record(proc::identity_of(child.pid()).value().value());
  const Answer failed{.reason = "failed"};
  EXPECT_EQ(judge(authority, "s", &failed).reason, "failed");
  const Answer other{.told = true, .daemon = "another", .endpoint = "local", .machine = machine};
  EXPECT_EQ(judge(authority, "s", &other).reason, "other-daemon");
  child.kill();
  child.wait_for_end();
  for (const Answer* answer : {&failed, &other, static_cast<const Answer*>(nullptr)}) {
    const Verdict verdict = judge(authority, "s", answer);
    EXPECT_EQ(verdict.vouched, Vouched::kDead);
    EXPECT_TRUE(verdict.by_identity);
  }
}

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
