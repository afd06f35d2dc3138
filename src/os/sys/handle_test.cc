// SPDX-License-Identifier: Apache-2.0
//
// Close-on-exec, for every kind of descriptor that os opens. (The stand-ins for closed standard
// streams are the exception that stdio.h explains.)
#include "os/sys/handle.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <set>

#include "os/file/staged_file.h"
#include "os/lock/dir_lock.h"
#include "os/process/pidfd.h"
#include "os/process/proc_fs.h"
#include "os/spawn/child.h"
#include "os/spawn/spawn.h"
#include "os/stream/pipe.h"
#include "os/sys/os_error.h"
#include "os/watch/boot_timer.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

std::set<int> open_descriptors() {
  std::set<int> numbers;
  DIR* const dir = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(dir)) numbers.insert(std::atoi(&entry->d_name[0]));
  numbers.erase(::dirfd(dir));
  ::closedir(dir);
  return numbers;
}

class HandleLinux : public ::testing::Test {
 protected:
  // What has been opened since the last call, or since the start, is close-on-exec.
  void expect_new_ones_closed_on_exec(const char* kind) {
    int fresh = 0;
    for (const int fd : open_descriptors()) {
      if (before_.contains(fd)) continue;
      ++fresh;
      EXPECT_EQ(::fcntl(fd, F_GETFD), FD_CLOEXEC) << kind << ", descriptor " << fd;
    }
    EXPECT_GT(fresh, 0) << "nothing was opened: " << kind;
  }

  testing::TempDir tmp_;
  std::set<int> before_ = open_descriptors();
};

TEST_F(HandleLinux, FilesAndDirectoriesAreClosedOnExec) {
  const auto created = tmp_.dir().create_file("f"_name, 0600);
  expect_new_ones_closed_on_exec("create_file");
  before_ = open_descriptors();
  const auto file = tmp_.dir().open_file("f"_name, Access::kReadWrite);
  expect_new_ones_closed_on_exec("open_file");
  ASSERT_TRUE(tmp_.dir().make_dir("d"_name, 0700));
  for (const auto& open : std::vector<std::function<Result<Dir>()>>{
           [&] { return Dir::open(tmp_.path()); },
           [&] { return Dir::open_following_links(tmp_.path()); },
           [&] { return tmp_.dir().open_dir("d"_name); },
           [&] { return tmp_.dir().open_dir_beneath("d"); }}) {
    before_ = open_descriptors();
    const auto dir = open();
    expect_new_ones_closed_on_exec("a directory");
  }
  before_ = open_descriptors();
  const auto lock = DirLock::open(tmp_.dir());
  expect_new_ones_closed_on_exec("a lock");
  before_ = open_descriptors();
  ASSERT_TRUE(tmp_.dir().each_entry([&](std::string_view, FileType) {
    expect_new_ones_closed_on_exec("each_entry");
    return Visit::kStop;
  }));
}

TEST_F(HandleLinux, StagedFilesOfBothKindsAreClosedOnExec) {
  {
    const auto staged = StagedFile::create(tmp_.dir(), 0600);
    ASSERT_TRUE(staged);
    expect_new_ones_closed_on_exec("an unnamed stage");
  }
  const testing::MissingCalls missing{{"openat_tmpfile", EOPNOTSUPP}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  const auto staged = StagedFile::create(tmp_.dir(), 0600);
  ASSERT_TRUE(staged);
  expect_new_ones_closed_on_exec("a named stage");
}

TEST_F(HandleLinux, PipesTimersSignalsAndProcessesAreClosedOnExec) {
  const auto pipe = make_pipe();
  expect_new_ones_closed_on_exec("a pipe");
  before_ = open_descriptors();
  const auto timer = BootTimer::create();
  expect_new_ones_closed_on_exec("a timer");
  before_ = open_descriptors();
  const auto inbox = SignalInbox::open();
  expect_new_ones_closed_on_exec("a signal inbox");
  before_ = open_descriptors();
  ASSERT_TRUE(each_process([&](Pid) { expect_new_ones_closed_on_exec("/proc"); }));
  if (pidfds_work()) {
    const auto pin = open_pidfd(own_pid());
    expect_new_ones_closed_on_exec("a pidfd");
  }
}

TEST_F(HandleLinux, ASpawnedCommandsDescriptorsAreClosedOnExec) {
  {
    const auto spawned = spawn({.argv = {"true"}, .stdout_to = {}, .signals = {}});
    ASSERT_TRUE(spawned);
    expect_new_ones_closed_on_exec("a gate, a report and a pidfd");
  }
  EXPECT_GT(::waitpid(-1, nullptr, 0), 0);
}

struct Row {
  int os_code;
  const char* cause;
  ErrorCode code;
};

TEST(OsErrorPosix, EachErrnoHasItsNameAndTheCodeThatTellsWhatToDo) {
  for (const Row& row : {
           Row{ENOENT, "enoent", ErrorCode::kNotFound},
           Row{ELOOP, "eloop", ErrorCode::kRefused},
           Row{ENOSPC, "enospc", ErrorCode::kIo},
           Row{EDQUOT, "edquot", ErrorCode::kIo},
           Row{EFBIG, "efbig", ErrorCode::kIo},
           Row{EIO, "eio", ErrorCode::kIo},
           Row{EUCLEAN, "euclean", ErrorCode::kIo},
           Row{EBADMSG, "ebadmsg", ErrorCode::kIo},
           Row{ENXIO, "enxio", ErrorCode::kIo},
           Row{ESTALE, "estale", ErrorCode::kIo},
           Row{EPIPE, "epipe", ErrorCode::kIo},
           Row{EAGAIN, "eagain", ErrorCode::kBusy},
           Row{EBUSY, "ebusy", ErrorCode::kBusy},
           Row{ETXTBSY, "etxtbsy", ErrorCode::kBusy},
           Row{ETIMEDOUT, "etimedout", ErrorCode::kBusy},
           Row{EACCES, "eacces", ErrorCode::kOsRefused},
           Row{EPERM, "eperm", ErrorCode::kOsRefused},
           Row{EROFS, "erofs", ErrorCode::kOsRefused},
           Row{EMFILE, "emfile", ErrorCode::kOsRefused},
           Row{ENFILE, "enfile", ErrorCode::kOsRefused},
           Row{ENOMEM, "enomem", ErrorCode::kOsRefused},
           Row{ENOSYS, "enosys", ErrorCode::kOsRefused},
           Row{ESRCH, "esrch", ErrorCode::kOsRefused},
           Row{ENOTDIR, "enotdir", ErrorCode::kOsRefused},
       }) {
    const Error error = os_error("write", "f", row.os_code);
    EXPECT_EQ(error.cause, row.cause);
    EXPECT_EQ(error.code, row.code) << row.cause;
    EXPECT_EQ(error.os_code, row.os_code);
    EXPECT_FALSE(error.detail.empty()) << row.cause;
  }
}

TEST(OsErrorPosix, ForkAtItsLimitIsRefusedAndNotBusy) {
  const testing::MissingCalls missing{{"fork", EAGAIN}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  const auto forked = fork_process();
  ASSERT_FALSE(forked);
  EXPECT_EQ(forked.error().code, ErrorCode::kOsRefused);
  EXPECT_EQ(forked.error().cause, "eagain");
}

}  // namespace
}  // namespace holdfast::os
