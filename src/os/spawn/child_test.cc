// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace holdfast::os {
namespace {

pid_t waiting_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  return child;
}

TEST(Child, NoChildrenIsSaidOnlyWhenThereAreNone) {
  EXPECT_TRUE(std::holds_alternative<NoChildren>(reap_any().value()));
  const Pid child{waiting_child()};
  EXPECT_TRUE(std::holds_alternative<NoneEnded>(reap_any().value()));
  EXPECT_EQ(signal_own_child(child, SIGTERM).value(), Sent::kSent);
  const ChildEnd end = reap_child(child).value();
  EXPECT_EQ(end.how, ChildEnd::How::kSignalled);
  EXPECT_EQ(end.value, SIGTERM);
  EXPECT_TRUE(std::holds_alternative<NoChildren>(reap_any().value()));
}

TEST(Child, AnExitCodeIsReapedWhole) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(200);
  const ChildEnd end = reap_child(Pid{child}).value();
  EXPECT_EQ(end.how, ChildEnd::How::kExited);
  EXPECT_EQ(end.value, 200);
  EXPECT_EQ(end.pid, Pid{child});
}

TEST(Child, ANumberThatIsNotAnUnreapedChildIsNeverSignalled) {
  const pid_t child = waiting_child();
  EXPECT_EQ(signal_own_child(Pid{child}, SIGKILL).value(), Sent::kSent);
  ASSERT_TRUE(reap_child(Pid{child}));
  EXPECT_EQ(signal_own_child(Pid{child}, SIGKILL).value(), Sent::kGone) << "reaped";
  EXPECT_EQ(signal_own_child(own_pid(), SIGKILL).value(), Sent::kGone) << "not a child: oneself";
  EXPECT_EQ(signal_own_child(Pid{1}, SIGKILL).value(), Sent::kGone) << "not a child: init";
}

TEST(Child, AllChildrenAreSignalledAtOnceHoweverMany) {
  constexpr int kChildren = 700;  // their numbers fill more than one read
  for (int i = 0; i < kChildren; ++i) ASSERT_GT(waiting_child(), 0);
  ASSERT_TRUE(signal_own_children(SIGKILL));
  for (int i = 0; i < kChildren; ++i) {
    int status = 0;
    ASSERT_GT(::waitpid(-1, &status, 0), 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }
  EXPECT_TRUE(std::holds_alternative<NoChildren>(reap_any().value()));
}

TEST(Child, AnOrphanComesToTheSubreaper) {
  const pid_t holder = ::fork();  // so that this program's own settings stay as they are
  if (holder == 0) {
    if (!become_subreaper()) ::_exit(1);
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(2);
    if (::fork() == 0) {
      const pid_t grandchild = waiting_child();
      if (::write(ends[1], &grandchild, sizeof(grandchild)) != sizeof(grandchild)) ::_exit(3);
      ::_exit(0);
    }
    pid_t orphan = 0;
    if (::read(ends[0], &orphan, sizeof(orphan)) != sizeof(orphan)) ::_exit(4);
    ::wait(nullptr);
    const auto sent = signal_own_child(Pid{orphan}, SIGKILL);
    ::_exit(sent && *sent == Sent::kSent && reap_child(Pid{orphan}) ? 0 : 5);
  }
  EXPECT_EQ(reap_child(Pid{holder}).value().value, 0);
}

}  // namespace
}  // namespace holdfast::os
