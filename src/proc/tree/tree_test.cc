// SPDX-License-Identifier: Apache-2.0
//
// Each test runs in a forked process that is the subreaper of its own small tree.
#include "proc/tree/tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/process/pidfd.h"
#include "os/spawn/child.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::proc {
namespace {

const auto kAll = [](const ProcessFacts&) { return true; };

[[noreturn]] void wait_forever() {
  ::alarm(60);  // a failing test leaves nobody behind for long
  for (;;) ::pause();
}

// Runs `body` in a subreaper of its own; it returns 0 for yes.
int in_own_tree(int (*body)()) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

// A chain of `depth` processes below the caller; returns when all of them are there.
void make_chain(int depth) {
  int ends[2];
  if (::pipe(ends) != 0) ::_exit(50);
  if (::fork() == 0) {
    for (int i = 1; i < depth; ++i) {
      if (::fork() > 0) wait_forever();
    }
    if (::write(ends[1], "r", 1) != 1) ::_exit(51);
    wait_forever();
  }
  char byte = 0;
  if (::read(ends[0], &byte, 1) != 1) ::_exit(52);
  ::close(ends[0]);
  ::close(ends[1]);
}

void reap_until_empty() {
  while (::waitpid(-1, nullptr, 0) > 0) {
  }
}

TEST(Tree, OnePassReachesEveryLevelThroughPidfds) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  EXPECT_EQ(in_own_tree([] {
              make_chain(5);
              make_chain(1);
              const auto pass = signal_tree(Reach::kPidfd, {SIGKILL}, kAll);
              reap_until_empty();
              return pass && pass->signalled.size() == 6 ? 0 : 1;
            }),
            0);
}

TEST(Tree, WithoutPidfdsAPassReachesOwnChildrenAndTheNextThoseBelow) {
  EXPECT_EQ(in_own_tree([] {
              make_chain(3);
              for (int level = 0; level < 3; ++level) {
                const auto pass = signal_tree(Reach::kOwnChildren, {SIGKILL}, kAll);
                if (!pass || pass->signalled.size() != 1) return 1;
                const auto end = os::reap_child(pass->signalled[0].pid);
                if (!end || end->value != SIGKILL) return 2;
              }
              return ::waitpid(-1, nullptr, 0) == -1 && errno == ECHILD ? 0 : 3;
            }),
            0);
}

TEST(Tree, OnlyTheWantedAreSignalledAndStrangersNever) {
  const pid_t sibling = ::fork();  // a process that is not in the tree below
  if (sibling == 0) wait_forever();
  EXPECT_EQ(in_own_tree([] {
              make_chain(2);
              const auto none = signal_tree(os::pidfds_work() ? Reach::kPidfd : Reach::kOwnChildren,
                                            {SIGKILL}, [](const ProcessFacts&) { return false; });
              if (!none || !none->signalled.empty()) return 1;
              for (int round = 0; round < 2; ++round) {
                if (!signal_tree(Reach::kOwnChildren, {SIGKILL}, kAll)) return 2;
                if (::waitpid(-1, nullptr, 0) < 0) return 3;
              }
              return living_descendants().value().empty() ? 0 : 4;
            }),
            0);
  EXPECT_EQ(::waitpid(sibling, nullptr, WNOHANG), 0) << "the stranger lives";
  ::kill(sibling, SIGKILL);
  ::waitpid(sibling, nullptr, 0);
}

// As with hidepid=1 and a tree of set-user-id programs: all rows but one's own are closed.
class TreeWithHidePid final : public testing::CallHook {
 public:
  testing::Fate before(const testing::CallSite& call) override {
    const bool row = call.path.starts_with("/proc/") && call.path.ends_with("/stat") &&
                     !call.path.starts_with("/proc/self/");
    if (!row) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = EACCES};
  }
};

TEST(Tree, OwnChildrenWhoseRowsAreClosedAreReachedAndStrangersAreNot) {
  const pid_t sibling = ::fork();
  if (sibling == 0) wait_forever();
  EXPECT_EQ(in_own_tree([] {
              make_chain(2);
              TreeWithHidePid hide;
              const testing::ScopedCallHook hook(hide);
              // One pass may reach both: the lower one becomes ours as soon as the upper one dies.
              for (std::size_t reached = 0; reached < 2;) {
                const auto pass = signal_tree(Reach::kPidfd, {SIGKILL}, kAll);
                if (!pass || pass->signalled.empty() || pass->unread == 0) return 1;
                for (const ProcessFacts& facts : pass->signalled) {
                  if (::waitpid(os::number(facts.pid), nullptr, 0) < 0) return 2;
                  ++reached;
                }
              }
              return ::waitpid(-1, nullptr, 0) == -1 && errno == ECHILD ? 0 : 3;
            }),
            0);
  EXPECT_EQ(::waitpid(sibling, nullptr, WNOHANG), 0) << "the stranger lives";
  ::kill(sibling, SIGKILL);
  ::waitpid(sibling, nullptr, 0);
}

TEST(Tree, AChainDeeperThanOnePassIsEndedByTheNext) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  EXPECT_EQ(in_own_tree([] {
              make_chain(300);
              const auto first = signal_tree(Reach::kPidfd, {SIGKILL}, kAll);
              if (!first || first->signalled.size() != 256) return 1;
              for (std::size_t ended = 0; ended < 256; ++ended) ::waitpid(-1, nullptr, 0);
              const auto second = signal_tree(Reach::kPidfd, {SIGKILL}, kAll);
              if (!second || second->signalled.size() != 44) return 2;
              reap_until_empty();
              return 0;
            }),
            0);
}

}  // namespace
}  // namespace holdfast::proc
