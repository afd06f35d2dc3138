// SPDX-License-Identifier: Apache-2.0
#include "os/machine/namespaces.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "os/machine/real_clock.h"
#include "os/process/pidfd.h"
#include "testing/processes.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::os {
namespace {

TEST(Namespaces, TheyAreTheKernelsNumbersAndAChildsOwnAreOthers) {
  const Namespaces own = own_namespaces().value();
  struct stat info{};
  ASSERT_EQ(::stat("/proc/self/ns/pid", &info), 0);
  EXPECT_EQ(own.pid, info.st_ino);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWPID) != 0) ::_exit(77);
    const pid_t inner = ::fork();
    if (inner == 0) ::_exit(own_namespaces().value().pid != own.pid ? 0 : 1);
    int status = 0;
    ::waitpid(inner, &status, 0);
    ::_exit(WEXITSTATUS(status));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no pid namespaces here";
  EXPECT_EQ(status, 0);
}

// The number in a child whose boot clock is shifted by so many seconds; 0: it cannot be tried.
std::uint64_t clock_number_shifted_by(const char* seconds) {
  int ends[2];
  if (::pipe(ends) != 0) return 0;
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr int kNewTime = 0x80;  // CLONE_NEWTIME
    const std::string text = std::string("boottime ") + seconds + " 0\n";
    if (::unshare(kNewTime) != 0 || !testing::write_text("/proc/self/timens_offsets", text)) {
      ::_exit(1);
    }
    if (::fork() == 0) {
      const std::uint64_t number = own_namespaces().value().time;
      ::_exit(::write(ends[1], &number, sizeof number) == sizeof number ? 0 : 1);
    }
    ::_exit(::wait(nullptr) > 0 ? 0 : 1);
  }
  ::close(ends[1]);
  std::uint64_t number = 0;
  if (::read(ends[0], &number, sizeof number) != sizeof number) number = 0;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return number;
}

// The inode of a namespace that is gone may be that of the next one, whose clock is another.
TEST(Namespaces, TheNumberOfAClockIsThatOfItsShift) {
  const std::uint64_t day = clock_number_shifted_by("86400");
  if (day == 0) GTEST_SKIP() << "no time namespaces here";
  EXPECT_EQ(clock_number_shifted_by("86400"), day);
  EXPECT_NE(clock_number_shifted_by("86401"), day);
  EXPECT_NE(clock_number_shifted_by("-7"), day);
  EXPECT_NE(day, own_namespaces().value().time);
  EXPECT_LT(day, std::uint64_t{1} << 53);
  EXPECT_EQ(clock_number_shifted_by("0"), own_namespaces().value().time);
}

TEST(Namespaces, WithoutProcItIsAnErrorAndNotZeros) {
  const testing::MissingCalls missing{{"fstatat", ENOENT}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EQ(own_namespaces().error().cause, "no-proc");
}

TEST(PidInUse, NobodyIsTheKernelsWordAndNeedsNoRights) {
  EXPECT_TRUE(pid_in_use(own_pid()).value());
  EXPECT_TRUE(pid_in_use(Pid{1}).value());
  EXPECT_FALSE(pid_in_use(Pid{0}).value());
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(pid_in_use(Pid{child}).value()) << "a zombie keeps its number";
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(pid_in_use(Pid{child}).value());
}

TEST(Pidfs, TwoDescriptorsOfOneProcessHaveOneNumberAndTwoProcessesTwo) {
  if (!pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const auto one = open_pidfd(own_pid());
  const auto again = open_pidfd(own_pid());
  const auto other = open_pidfd(Pid{1});
  ASSERT_TRUE(one && *one && again && *again && other && *other);
  const std::uint64_t number = pidfs_inode(**one).value();
  if (number == 0) GTEST_SKIP() << "no pidfs on this kernel";
  EXPECT_EQ(pidfs_inode(**again).value(), number);
  EXPECT_NE(pidfs_inode(**other).value(), number);
}

TEST(RealClockDeathTest, AClockThatFailsIsNeverTimeZero) {
  const testing::MissingCalls missing{{"clock_gettime", EPERM}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EXIT(static_cast<void>(RealClock().wall()), ::testing::KilledBySignal(SIGABRT), "");
  EXPECT_EXIT(static_cast<void>(RealClock().boot()), ::testing::KilledBySignal(SIGABRT), "");
  EXPECT_EXIT(static_cast<void>(RealClock().mono()), ::testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace holdfast::os
