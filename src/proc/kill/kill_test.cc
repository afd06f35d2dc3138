// SPDX-License-Identifier: Apache-2.0
#include "proc/kill/kill.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "os/machine/random.h"
#include "proc/kill/kill_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::proc {
namespace {

using namespace std::chrono_literals;
using Outcome = KillOutcome;
using Types = std::vector<std::string>;

void ignore_term() { ::signal(SIGTERM, SIG_IGN); }

class Kill : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  }
  KillReport kill(const Identity& identity, const KillOrder& order = {.grace = 5s}) {
    return kill_process(identity, order, sink).value();
  }
  RememberingSink sink;
};

TEST_F(Kill, EndsTheOneThatIsMeantAndSaysSoBefore) {
  const WaitingChild polite;
  const WaitingChild stopped;
  const WaitingChild bystander;
  ::kill(os::number(stopped.pid()), SIGSTOP);
  for (const WaitingChild* child : {&polite, &stopped}) {
    sink = {};
    const KillReport report = kill(identity_of_living(child->pid()));
    EXPECT_EQ(report.outcome, Outcome::kKilled);
    EXPECT_EQ(report.evidence, "pidfd-ended");
    EXPECT_FALSE(lives(child->pid()));
    EXPECT_EQ(sink.types, Types{"process.killed"});
  }
  EXPECT_TRUE(lives(bystander.pid()));
}

TEST_F(Kill, WhoIgnoresTermIsKilledAfterTheGrace) {
  const WaitingChild deaf(ignore_term);
  EXPECT_EQ(kill(identity_of_living(deaf.pid()), {.grace = 50ms}).outcome, Outcome::kKilled);
  EXPECT_FALSE(lives(deaf.pid()));
}

TEST_F(Kill, ANumberThatWentToAnotherIsAMismatchAndNobodyIsSignalled) {
  const WaitingChild stranger;
  for (const bool tree : {false, true}) {
    sink = {};
    const KillReport report = kill(predecessor_of(stranger.pid()), {.tree = tree});
    EXPECT_EQ(report.outcome, Outcome::kMismatch);
    EXPECT_EQ(report.evidence, "recycled");
    EXPECT_EQ(sink.types, Types{"process.kill_refused"});
  }
  EXPECT_TRUE(lives(stranger.pid()));
}

TEST_F(Kill, OneThatHasEndedIsGone) {
  WaitingChild child;
  const Identity identity = identity_of_living(child.pid());
  child.kill();
  child.wait_for_end();
  EXPECT_EQ(kill(identity).outcome, Outcome::kGone) << "a zombie";
  child.reap();
  EXPECT_EQ(kill(identity).outcome, Outcome::kGone);
}

TEST_F(Kill, WhatCannotBeJudgedIsUnprovenAndLives) {
  const WaitingChild child;
  Identity elsewhere = identity_of_living(child.pid());
  elsewhere.pidns = 0;  // not told, so nobody can look for it
  EXPECT_EQ(kill(elsewhere).outcome, Outcome::kUnproven);
  Identity other_host = identity_of_living(child.pid());
  other_host.boot = os::random_id().value();
  other_host.machine = os::random_id().value();
  const KillReport report = kill(other_host);
  EXPECT_EQ(report.outcome, Outcome::kUnproven);
  EXPECT_FALSE(report.acted);
  EXPECT_TRUE(lives(child.pid()));
}

TEST_F(Kill, WithoutARecordOfTheDecisionNothingIsDone) {
  const WaitingChild child;
  sink.refuses = true;
  for (const bool tree : {false, true}) {
    const auto report = kill_process(identity_of_living(child.pid()), {.tree = tree}, sink);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().cause, "no-room");
  }
  EXPECT_TRUE(lives(child.pid()));
}

TEST_F(Kill, NeverProcessOneNorTheCallerNorThoseAboveIt) {
  const KillReport self = kill(identity_of_living(os::own_pid()), {.signal = SIGCONT});
  EXPECT_EQ(self.outcome, Outcome::kRefused);
  EXPECT_EQ(self.evidence, "caller");
  const KillReport above = kill(identity_of_living(os::Pid{::getppid()}), {.signal = SIGCONT});
  EXPECT_EQ(above.outcome, Outcome::kRefused);
  if (const auto first = identity_of(os::Pid{1}); first && *first) {
    EXPECT_EQ(kill(**first, {.signal = SIGCONT}).evidence, "process-1");
  }
  for (const std::string& type : sink.types) EXPECT_EQ(type, "process.kill_refused");
}

TEST_F(Kill, OneSignalIsSentOnceAndOnlyThat) {
  const WaitingChild child;
  const Identity identity = identity_of_living(child.pid());
  EXPECT_EQ(kill(identity, {.signal = SIGCONT}).outcome, Outcome::kSignalled);
  const KillReport waited = kill(identity, {.signal = SIGCONT, .wait = 20ms});
  EXPECT_EQ(waited.outcome, Outcome::kSurvivors);
  ASSERT_EQ(waited.survivors.size(), 1U);
  EXPECT_EQ(waited.survivors[0].pid, os::number(child.pid()));
  EXPECT_TRUE(lives(child.pid()));
  EXPECT_EQ(kill(identity, {.signal = SIGTERM, .wait = 10s}).outcome, Outcome::kKilled);
}

TEST_F(Kill, WhoMayNotBeSignalledIsNotPermittedBeforeAnythingIsDecided) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  const WaitingChild roots;
  const Identity identity = identity_of_living(roots.pid());
  EXPECT_EQ(in_child([&] {
              if (!become_nobody()) return kCannotTry;
              RememberingSink own;
              const auto report = kill_process(identity, {}, own);
              const bool right = report && report->outcome == Outcome::kNotPermitted &&
                                 own.types == Types{"process.kill_refused"};
              return right ? 0 : 1;
            }),
            0);
  EXPECT_TRUE(lives(roots.pid()));
}

TEST_F(Kill, WithoutPidfdsNobodyIsSignalled) {
  const WaitingChild child;
  const Identity identity = identity_of_living(child.pid());
  for (const char* missing : {"pidfd_open", "pidfd_send_signal"}) {
    const testing::MissingCalls calls{{missing, EPERM}};
    testing::OldKernel old(calls);
    const testing::ScopedCallHook hooked(old);
    const KillReport report = kill_process(identity, {}, sink).value();
    EXPECT_EQ(report.outcome, Outcome::kUnproven) << missing;
    EXPECT_EQ(report.evidence, "no-pidfd") << missing;
  }
  EXPECT_TRUE(lives(child.pid()));
}

// A child of the top one, which writes its number to `out` and waits.
void fork_below(int out) {
  const pid_t pid = ::fork();
  if (pid != 0) return;
  ::setsid();
  ::alarm(60);
  const pid_t own = ::getpid();
  if (::write(out, &own, sizeof own) != sizeof own) ::_exit(51);
  for (;;) ::pause();
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe(ends) != 0) ::abort();
  }
  ~Pipe() { ::close(ends[0]), ::close(ends[1]); }
  os::Pid read() const {
    pid_t pid = -1;
    return os::Pid{::read(ends[0], &pid, sizeof pid) == sizeof pid ? pid : -1};
  }
};

TEST_F(Kill, ATreeIsEndedAndWithoutAProofThatIsSaid) {
  const Pipe pipe;
  const WaitingChild top([&] { fork_below(pipe.ends[1]); });
  const os::Pid below = pipe.read();
  const KillReport report = kill(identity_of_living(top.pid()), {.tree = true, .grace = 5s});
  EXPECT_EQ(report.outcome, Outcome::kUnproven);
  EXPECT_EQ(report.evidence, "no-cgroup");
  EXPECT_TRUE(report.acted);
  EXPECT_EQ(report.ended, 2U);
  EXPECT_FALSE(lives(top.pid()));
  EXPECT_FALSE(lives(below));
  EXPECT_EQ(sink.types, (Types{"process.killed", "process.unproven"}));
}

class SaysEmpty final : public TreeKiller {
 public:
  explicit SaysEmpty(bool empty) : empty_(empty) {}
  Result<> kill_all() override {
    asked = true;
    return {};
  }
  Result<bool> proven_empty(Duration) override { return empty_; }
  bool asked = false;

 private:
  bool empty_;
};

TEST_F(Kill, ATreeIsKilledOnlyOnTheKernelsWord) {
  for (const bool empty : {true, false}) {
    const WaitingChild top;
    SaysEmpty group(empty);
    const KillReport report =
        kill(identity_of_living(top.pid()), {.tree = true, .grace = 5s, .group = &group});
    EXPECT_EQ(report.outcome, empty ? Outcome::kKilled : Outcome::kSurvivors);
    EXPECT_TRUE(group.asked);
  }
}

TEST_F(Kill, ATreeWithTheCallerInItIsLeftAlone) {
  EXPECT_EQ(in_child([] {
              const os::Pid middle = os::own_pid();
              return in_child([&] {
                RememberingSink own;
                const auto report = kill_process(identity_of_living(middle), {.tree = true}, own);
                return report && report->outcome == Outcome::kRefused ? 0 : 1;
              });
            }),
            0);
}

TEST_F(Kill, ADeadLeadersTreeIsNeverCalledGone) {
  WaitingChild child;
  const Identity identity = identity_of_living(child.pid());
  child.kill();
  child.reap();
  const KillReport report = kill(identity, {.tree = true, .run = os::random_id().value()});
  EXPECT_EQ(report.outcome, Outcome::kUnproven);
  EXPECT_EQ(report.evidence, "leader-gone");
  EXPECT_FALSE(report.acted);
}

}  // namespace
}  // namespace holdfast::proc
