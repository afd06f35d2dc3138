// SPDX-License-Identifier: Apache-2.0
//
// The same judge from inside other namespaces and as another user: each body runs in a process of
// its own and returns 0 for yes.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "os/machine/namespaces.h"
#include "os/process/pidfd.h"
#include "proc/identity/process_fixture.h"
#include "proc/identity/verdict.h"

namespace holdfast::proc {
namespace {

bool verdict_namespace_says(const Identity& identity, Life life, std::string_view evidence) {
  const LifeVerdict verdict = judge(identity);
  return verdict.life == life && verdict.evidence == evidence;
}

Identity verdict_namespace_by_start(Identity identity) {
  identity.pidfs = 0;
  return identity;
}

TEST(VerdictElsewhere, AProcessThatMayNotBeSignalledIsLive) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  WaitingChild child;
  const Identity identity = identity_of(child.pid()).value().value();
  EXPECT_EQ(
      in_child([&] {
        if (!become_nobody()) return 1;
        if (::kill(os::number(child.pid()), 0) != -1 || errno != EPERM) return 2;
        if (!verdict_namespace_says(identity, Life::kLive, "running")) return 3;
        if (!verdict_namespace_says(verdict_namespace_by_start(identity), Life::kLive, "running"))
          return 4;
        const auto seen = identity_of(child.pid());
        return seen && *seen && **seen == identity ? 0 : 5;
      }),
      0);
}

TEST(VerdictElsewhere, FromAnotherPidNamespaceItIsUnknownUntilThatIsGone) {
  const Identity outside = own_identity().value();
  int ends[2];
  int back[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::pipe(back), 0);
  Identity inside;
  Life while_there = Life::kDead;
  std::thread watcher([&] {
    if (::read(ends[0], &inside, sizeof inside) != sizeof inside) return;
    while_there = judge(inside).life;
    EXPECT_EQ(::write(back[1], "x", 1), 1);
  });
  const int code = in_pid_namespace(Proc::kOwn, [&] {
    if (!verdict_namespace_says(outside, Life::kUnknown, "other-pid-namespace")) return 1;
    Identity same_number = outside;  // there is a process 1 in here, too
    same_number.pid = os::Pid{1};
    if (!verdict_namespace_says(same_number, Life::kUnknown, "other-pid-namespace")) return 2;
    const Identity own = own_identity().value();
    if (::write(ends[1], &own, sizeof own) != sizeof own) return 3;
    char end = 0;
    return ::read(back[0], &end, 1) == 1 ? 0 : 4;  // until the outside has looked
  });
  ::close(ends[1]);
  watcher.join();
  if (code == kCannotTry) GTEST_SKIP() << "no pid namespaces here";
  EXPECT_EQ(code, 0);
  EXPECT_EQ(while_there, Life::kUnknown);
  if (outside.pidns != os::kInitialPidNamespace) {
    EXPECT_TRUE(verdict_namespace_says(inside, Life::kUnknown, "other-pid-namespace"));
    return;
  }
  EXPECT_TRUE(verdict_namespace_says(inside, Life::kDead, "namespace-gone"));
  inside.pidns = 0;
  EXPECT_TRUE(verdict_namespace_says(inside, Life::kUnknown, "other-pid-namespace"));
}

TEST(VerdictElsewhere, ANamespaceWhoseFirstProcessIsAZombieIsGone) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a pid namespace alone";
  const Identity outside = own_identity().value();
  if (outside.pidns != os::kInitialPidNamespace) GTEST_SKIP() << "it cannot be seen from here";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto init = static_cast<pid_t>(::syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0));
  if (init == 0) {
    ::close(ends[1]);
    char end = 0;
    ::_exit(::read(ends[0], &end, 1) == 0 ? 0 : 1);
  }
  ::close(ends[0]);
  if (init < 0) GTEST_SKIP() << "no pid namespaces here";
  Identity inside = outside;
  inside.pid = os::Pid{2};
  inside.pidns = os::pid_namespace_of(os::Pid{init}).value().value();
  EXPECT_TRUE(verdict_namespace_says(inside, Life::kUnknown, "other-pid-namespace"));
  ::close(ends[1]);
  siginfo_t end{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(init), &end, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(verdict_namespace_says(inside, Life::kDead, "namespace-gone"));
  EXPECT_EQ(::waitpid(init, nullptr, 0), init);
  EXPECT_TRUE(verdict_namespace_says(inside, Life::kDead, "namespace-gone"));
}

TEST(VerdictElsewhere, TheProcOfAnotherNamespaceProvesNothing) {
  const int code = in_pid_namespace(Proc::kOuter, [] {
    WaitingChild child;
    Identity identity = own_identity().value();  // the child's cannot be read here
    identity.pid = child.pid();
    identity.start -= 1;
    if (!verdict_namespace_says(verdict_namespace_by_start(identity), Life::kUnknown, "no-proc"))
      return 1;
    child.kill();
    child.wait_for_end();
    const bool pidfds = os::pidfds_work();  // an end needs no /proc where there are pidfds
    if (judge(verdict_namespace_by_start(identity)).life != (pidfds ? Life::kDead : Life::kUnknown))
      return 2;
    return verdict_namespace_says(own_identity().value(), Life::kLive, "running") ==
                   (pidfds && own_identity()->pidfs != 0)
               ? 0
               : 3;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no pid namespaces here";
  EXPECT_EQ(code, 0);
}

TEST(VerdictElsewhere, InAnotherTimeNamespaceTheStartProvesNothing) {
  const Identity outside = own_identity().value();
  const int code = in_time_namespace([&] {
    if (!verdict_namespace_says(verdict_namespace_by_start(outside), Life::kUnknown,
                                "other-time-namespace"))
      return 1;
    if (outside.pidfs != 0 && os::pidfds_work() &&
        !verdict_namespace_says(outside, Life::kLive, "running"))
      return 2;
    // Within one it does.
    Identity own = verdict_namespace_by_start(own_identity().value());
    if (!verdict_namespace_says(own, Life::kLive, "running")) return 3;
    own.start -= 1;
    return verdict_namespace_says(own, Life::kDead, "recycled") ? 0 : 4;
  });
  if (code == kCannotTry) GTEST_SKIP() << "no time namespaces here";
  EXPECT_EQ(code, 0);
}

TEST(VerdictElsewhere, AStartThatWasReadInAnotherTimeNamespaceProvesNothing) {
  WaitingChild child;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int code = in_time_namespace([&] {
    const Identity seen = identity_of(child.pid()).value().value();
    return ::write(ends[1], &seen, sizeof seen) == sizeof seen ? 0 : 1;
  });
  ::close(ends[1]);
  Identity seen;
  const bool told = ::read(ends[0], &seen, sizeof seen) == sizeof seen;
  ::close(ends[0]);
  if (code == kCannotTry) GTEST_SKIP() << "no time namespaces here";
  ASSERT_TRUE(told);
  EXPECT_TRUE(verdict_namespace_says(verdict_namespace_by_start(seen), Life::kUnknown,
                                     "other-time-namespace"));
  EXPECT_NE(judge(seen).life, Life::kDead);
}

TEST(VerdictElsewhere, UnderARealHidepidNobodyAliveIsDead) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can mount /proc and become another user";
  for (const char* option : {"hidepid=1", "hidepid=2"}) {
    const int code = in_pid_namespace(
        Proc::kOwn,
        [] {
          WaitingChild child;
          const Identity identity = identity_of(child.pid()).value().value();
          const auto as_nobody = [](const std::function<int()>& body) {
            return in_child([&] { return become_nobody() ? body() : kCannotTry; });
          };
          const int alive = as_nobody([&] {
            if (!verdict_namespace_says(verdict_namespace_by_start(identity), Life::kUnknown,
                                        "hidepid"))
              return 1;
            if (judge(identity).life == Life::kDead) return 2;
            return identity_of(child.pid()).error().cause == "hidepid" ? 0 : 3;
          });
          if (alive != 0) return alive;
          child.kill();
          child.reap();
          return as_nobody([&] {
            return verdict_namespace_says(identity, Life::kDead, "no-such-process") ? 0 : 4;
          });
        },
        option);
    if (code == kCannotTry) GTEST_SKIP() << "no /proc with hidepid here";
    EXPECT_EQ(code, 0) << option;
  }
}

// A real one: in a pid namespace of its own, where the next number can be chosen.
TEST(VerdictElsewhere, ARecycledNumberIsDead) {
  const int code = in_pid_namespace(Proc::kOwn, [] {
    Identity old;
    {
      WaitingChild child;
      old = identity_of(child.pid()).value().value();
    }
    const std::string last = std::to_string(os::number(old.pid) - 1);
    // Start times count in ticks: until the new one starts in a later tick, it is not told apart by
    // its start.
    for (;;) {
      if (!write_text("/proc/sys/kernel/ns_last_pid", last)) return kCannotTry;
      WaitingChild next;
      if (next.pid() != old.pid) return 1;
      const Identity now = identity_of(next.pid()).value().value();
      if (now.pidfs != 0 && now.pidfs == old.pidfs) return 2;
      if (old.pidfs != 0 && os::pidfds_work() &&
          !verdict_namespace_says(old, Life::kDead, "recycled"))
        return 3;
      if (now.start == old.start) continue;
      return verdict_namespace_says(verdict_namespace_by_start(old), Life::kDead, "recycled") &&
                     verdict_namespace_says(verdict_namespace_by_start(now), Life::kLive, "running")
                 ? 0
                 : 4;
    }
  });
  if (code == kCannotTry) GTEST_SKIP() << "numbers cannot be chosen here";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace holdfast::proc
