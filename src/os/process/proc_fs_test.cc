// SPDX-License-Identifier: Apache-2.0
#include "os/process/proc_fs.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "testing/sys_swap_linux.h"

namespace holdfast::os {
namespace {

TEST(ProcFs, OneselfIsListedAndRead) {
  bool listed = false;
  ASSERT_TRUE(each_process([&](Pid pid) { listed = listed || pid == own_pid(); }));
  EXPECT_TRUE(listed);
  EXPECT_EQ(read_proc_file(own_pid(), "comm").value(), read_own_proc_file("comm").value());
}

TEST(ProcFs, AProcessThatIsGoneIsAnAnswer) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const auto text = read_proc_file(Pid{child}, "stat");
  ASSERT_TRUE(text);
  EXPECT_FALSE(*text);
}

TEST(ProcFs, OnlyTheKernelsNoIsNo) {
  for (const char* call : {"openat", "read"}) {
    for (const int os_code : {ENOENT, ESRCH, EACCES, EPERM, EMFILE, EIO}) {
      const testing::MissingCalls missing{{call, os_code}};
      testing::OldKernel kernel(missing);
      const testing::ScopedCallHook hook(kernel);
      const auto text = read_proc_file(own_pid(), "stat");
      const bool gone = os_code == ENOENT || os_code == ESRCH;
      EXPECT_EQ(text.has_value(), gone) << call << " " << os_code;
      EXPECT_FALSE(text && *text);
    }
  }
}

}  // namespace
}  // namespace holdfast::os
