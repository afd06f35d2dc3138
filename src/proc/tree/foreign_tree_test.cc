// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/foreign_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/process/pidfd.h"
#include "proc/identity/process_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::proc {
namespace {

using namespace std::chrono_literals;

// Forks a child that waits; the caller's copy of the number is written to `out`.
void fork_waiting(int out) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(60);
    for (;;) ::pause();
  }
  if (::write(out, &pid, sizeof pid) != sizeof pid) ::_exit(51);
}

// A process with two children, one of them a stranger to the other; all wait to be killed.
class Family {
 public:
  explicit Family(bool ignore_term = false)
      : top_([&] {
          if (ignore_term) ::signal(SIGTERM, SIG_IGN);
          fork_waiting(ends_.ends[1]);
          fork_waiting(ends_.ends[1]);
        }) {
    for (pid_t& child : children_) {
      if (::read(ends_.ends[0], &child, sizeof child) != sizeof child) child = -1;
    }
  }
  ~Family() {
    for (const pid_t child : children_) {
      const auto pin = os::open_pidfd(os::Pid{child});
      if (pin && *pin) (void)os::signal_pidfd(**pin, SIGKILL).has_value();
    }
  }
  [[nodiscard]] os::Pid top() const { return top_.pid(); }
  [[nodiscard]] os::Pid child(std::size_t which) const { return os::Pid{children_[which]}; }
  void end_top() { top_.kill(), top_.wait_for_end(); }

 private:
  struct Pipe {
    int ends[2] = {-1, -1};
    Pipe() {
      if (::pipe(ends) != 0) ::abort();
    }
    ~Pipe() { ::close(ends[0]), ::close(ends[1]); }
  };
  Pipe ends_;
  WaitingChild top_;
  pid_t children_[2] = {-1, -1};
};

os::Handle pin_of(os::Pid pid) { return std::move(os::open_pidfd(pid).value().value()); }

TEST(ForeignTree, ReachesTheProcessAndAllBelowItAndNobodyElse) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Family meant;
  const Family stranger;
  const os::Handle seen = pin_of(meant.child(1));
  const os::Handle other = pin_of(stranger.child(0));
  ForeignTree tree;
  tree.add(meant.top(), pin_of(meant.top()));
  EXPECT_EQ(tree.grow().value(), 2U);
  EXPECT_EQ(tree.grow().value(), 0U);
  EXPECT_EQ(tree.living().size(), 3U);
  tree.signal(SIGTERM);
  EXPECT_TRUE(tree.wait_until_ended(10s).value());
  EXPECT_EQ(tree.ended(), 3U);
  EXPECT_TRUE(os::has_ended(seen).value());
  EXPECT_FALSE(os::has_ended(other).value());
}

TEST(ForeignTree, AGuideIsNotSignalledButItsChildrenAre) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Family meant;
  const os::Handle top = pin_of(meant.top());
  ForeignTree tree;
  tree.add(meant.top(), pin_of(meant.top()), ForeignTree::Role::kGuide);
  ASSERT_EQ(tree.grow().value(), 2U);
  tree.signal(SIGKILL);
  EXPECT_TRUE(tree.wait_until_ended(10s).value());
  EXPECT_EQ(tree.ended(), 2U);
  EXPECT_FALSE(os::has_ended(top).value());
}

TEST(ForeignTree, WhoWasSeenOnceIsReachedAfterItsParentEnded) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  Family meant;
  const os::Handle orphan = pin_of(meant.child(0));
  ForeignTree tree;
  tree.add(meant.top(), pin_of(meant.top()));
  ASSERT_EQ(tree.grow().value(), 2U);
  meant.end_top();
  EXPECT_FALSE(tree.wait_until_ended(0s).value());
  tree.signal(SIGKILL);
  EXPECT_TRUE(tree.wait_until_ended(10s).value());
  EXPECT_TRUE(os::has_ended(orphan).value());
}

// The number of a parent that has ended names nobody here: its children are not proven.
TEST(ForeignTree, NothingIsFoundBelowAProcessThatHasEnded) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  Family meant;
  ForeignTree tree;
  tree.add(meant.top(), pin_of(meant.top()));
  meant.end_top();
  EXPECT_EQ(tree.grow().value(), 0U);
  EXPECT_EQ(tree.ended(), 1U);
  EXPECT_TRUE(tree.living().empty());
}

// Ends the parent when its child is about to be pinned: after the table was read.
class ParentEndsFirst final : public testing::CallHook {
 public:
  explicit ParentEndsFirst(Family& family) : family_(family) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name == "pidfd_open" && !done_) {
      done_ = true;
      family_.end_top();
    }
    return {};
  }

 private:
  Family& family_;
  bool done_ = false;
};

TEST(ForeignTree, WhoseParentEndedBetweenLookAndPinIsNotProven) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  Family meant;
  const os::Handle first = pin_of(meant.child(0));
  const os::Handle second = pin_of(meant.child(1));
  ForeignTree tree;
  tree.add(meant.top(), pin_of(meant.top()));
  {
    ParentEndsFirst hook(meant);
    const testing::ScopedCallHook hooked(hook);
    EXPECT_EQ(tree.grow().value(), 0U);
  }
  tree.signal(SIGKILL);
  EXPECT_FALSE(os::has_ended(first).value());
  EXPECT_FALSE(os::has_ended(second).value());
}

TEST(ForeignTree, SurvivorsAreNamed) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Family meant(true);
  ForeignTree tree;
  tree.add(meant.top(), pin_of(meant.top()));
  ASSERT_EQ(tree.grow().value(), 2U);
  tree.signal(SIGTERM);
  EXPECT_FALSE(tree.wait_until_ended(50ms).value());
  ASSERT_EQ(tree.living().size(), 3U);
  EXPECT_EQ(tree.living()[0], std::to_string(os::number(meant.top())) + " (hf_proc_test)");
  tree.signal(SIGKILL);
  EXPECT_TRUE(tree.wait_until_ended(10s).value());
}

TEST(ForeignTree, TheCallerBelowItIsSeenAndNeverSignalled) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const pid_t middle = ::fork();
  if (middle == 0) {
    // The middle one's child looks at the tree of its own parent.
    ::_exit(in_child([] {
      const os::Pid parent{::getppid()};
      ForeignTree tree;
      tree.add(parent, pin_of(parent), ForeignTree::Role::kGuide);
      if (tree.grow().value() != 1 || !tree.holds_caller()) return 1;
      tree.signal(SIGKILL);
      return 0;
    }));
  }
  int status = 0;
  ::waitpid(middle, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace holdfast::proc
