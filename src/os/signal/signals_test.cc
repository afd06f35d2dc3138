// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signals.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace holdfast::os {
namespace {

class Signals : public ::testing::Test {
 protected:
  void SetUp() override { ::sigprocmask(SIG_SETMASK, nullptr, &before_); }
  void TearDown() override { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

TEST_F(Signals, ASentOneIsReadWithItsSenderAndKillsNobody) {
  ASSERT_TRUE(block_signals());
  SignalInbox inbox = SignalInbox::open().value();
  EXPECT_FALSE(inbox.next().value());
  ::kill(::getpid(), SIGTERM);
  const auto signal = inbox.next().value();
  ASSERT_TRUE(signal);
  EXPECT_EQ(signal->number, SIGTERM);
  EXPECT_EQ(signal->origin, Origin::kSender);
  EXPECT_FALSE(inbox.next().value());
}

// The kernel sends it in the name of the process itself, as if somebody had.
TEST_F(Signals, APipeOfOurOwnIsLeftOutAndSomebodyElsesIsNot) {
  ASSERT_TRUE(block_signals());
  SignalInbox inbox = SignalInbox::open().value();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  EXPECT_EQ(::write(ends[1], "x", 1), -1);  // SIGPIPE
  ::close(ends[1]);
  EXPECT_FALSE(inbox.next().value());
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::kill(self, SIGPIPE));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  bool sent = false;
  while (const auto signal = inbox.next().value()) {
    sent = sent || (signal->number == SIGPIPE && signal->origin == Origin::kSender);
  }
  EXPECT_TRUE(sent);
}

TEST_F(Signals, OneThatIsHandedOnKeepsItsOriginAndItsSender) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  ASSERT_TRUE(block_signals());
  const auto forked = fork_process();
  ASSERT_TRUE(forked);
  if (forked->in_child) {
    SignalInbox inbox = SignalInbox::open().value();
    bool sent = false;
    bool typed = false;
    while (!sent || !typed) {
      const auto signal = inbox.next().value();
      if (!signal) continue;
      sent = sent || (signal->number == SIGTERM && signal->origin == Origin::kSender &&
                      signal->sender == 4711);
      typed = typed || (signal->number == SIGINT && signal->origin == Origin::kTerminal);
    }
    ::_exit(7);
  }
  ASSERT_TRUE(
      hand_on({.number = SIGTERM, .origin = Origin::kSender, .sender = 4711}, forked->child));
  ASSERT_TRUE(hand_on({.number = SIGINT, .origin = Origin::kTerminal}, forked->child));
  EXPECT_EQ(reap_child(forked->child.pid)->value, 7);
}

TEST_F(Signals, TheKernelsOwnHasNoSender) {
  ASSERT_TRUE(block_signals());
  SignalInbox inbox = SignalInbox::open().value();
  if (::fork() == 0) ::_exit(0);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_ALL, 0, &info, WEXITED), 0);
  const auto ended = inbox.next().value();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->number, SIGCHLD);
  EXPECT_EQ(ended->origin, Origin::kChild);
}

TEST_F(Signals, AnAlarmIsTheKernelsForThisProcessAlone) {
  ASSERT_TRUE(block_signals());
  SignalInbox inbox = SignalInbox::open().value();
  const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 1}};
  ASSERT_EQ(::setitimer(ITIMER_REAL, &soon, nullptr), 0);
  std::optional<ArrivedSignal> signal;
  while (!signal) signal = inbox.next().value();
  EXPECT_EQ(signal->number, SIGALRM);
  EXPECT_EQ(signal->origin, Origin::kKernel);
}

TEST_F(Signals, ASentFaultSignalIsReadLikeAnyOther) {
  ASSERT_TRUE(block_signals());
  SignalInbox inbox = SignalInbox::open().value();
  for (const int number : {SIGABRT, SIGSEGV}) {
    ::kill(::getpid(), number);
    const auto signal = inbox.next().value();
    ASSERT_TRUE(signal);
    EXPECT_EQ(signal->number, number);
    EXPECT_EQ(signal->origin, Origin::kSender);
  }
}

TEST_F(Signals, RestoredTheMaskIsAsItWas) {
  const auto had = block_signals();
  ASSERT_TRUE(had);
  ASSERT_TRUE(restore_signals(*had));
  sigset_t now;
  ::sigprocmask(SIG_SETMASK, nullptr, &now);
  EXPECT_EQ(sigismember(&now, SIGTERM), 0);
}

TEST_F(Signals, WhatTheCallerHadIsKeptForTheChildren) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  sigaddset(&blocked, SIGRTMAX);
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
  ASSERT_NE(::signal(SIGCHLD, SIG_IGN), SIG_ERR);
  const auto had = block_signals();
  ASSERT_TRUE(had);
  EXPECT_EQ(had->blocked, (std::uint64_t{1} << (SIGUSR2 - 1)) |
                              (std::uint64_t{1} << (static_cast<unsigned>(SIGRTMAX) - 1)));
  EXPECT_TRUE(had->child_ignored);
  struct sigaction now{};
  ::sigaction(SIGCHLD, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL) << "else ended children vanish unreaped";
}

TEST_F(Signals, HaveNames) {
  EXPECT_EQ(signal_name(SIGTERM), "TERM");
  EXPECT_EQ(signal_name(999), "signal 999");
}

}  // namespace
}  // namespace holdfast::os
