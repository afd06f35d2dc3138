// SPDX-License-Identifier: Apache-2.0
//
// The system-call table: every call that os makes goes through it, so that tests can fail each one.
//
// Code in os writes `sys().openat(…)`; it reads like the plain call and costs one load. The table
// is constant to product code: only src/testing declares the means to swap it, so the tested
// objects are the shipped ones and no `#ifdef TEST` exists. Semantics are the kernel's: -1 and
// errno. A missing call shows as ENOSYS, as on an old kernel.
//
// To add a call: a member here, its real function in sys_linux.cc, its row in for_each_sys_call (a
// static_assert counts them). Effect tells the crash sweep which calls change the outside world.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast::os {

struct SysTable {
  int (*openat)(int dir, const char* path, int flags, mode_t mode);
  int (*openat2)(int dir, const char* path, const open_how* how);
  int (*close)(int fd);
  ssize_t (*read)(int fd, void* buffer, std::size_t size);
  ssize_t (*pread)(int fd, void* buffer, std::size_t size, off_t offset);
  ssize_t (*write)(int fd, const void* bytes, std::size_t size);
  ssize_t (*pwrite)(int fd, const void* bytes, std::size_t size, off_t offset);
  int (*ftruncate)(int fd, off_t size);
  int (*fallocate)(int fd, int mode, off_t offset, off_t size);
  int (*fsync)(int fd);
  int (*fdatasync)(int fd);
  int (*sync_file_range)(int fd, off_t offset, off_t bytes, unsigned flags);
  int (*flock)(int fd, int operation);
  int (*fchmod)(int fd, mode_t mode);
  int (*fchmodat)(int dir, const char* path, mode_t mode, int flags);
  int (*fchown)(int fd, uid_t uid, gid_t gid);
  mode_t (*umask)(mode_t mask);
  ssize_t (*flistxattr)(int fd, char* names, std::size_t size);
  ssize_t (*fgetxattr)(int fd, const char* name, void* value, std::size_t size);
  int (*fsetxattr)(int fd, const char* name, const void* value, std::size_t size, int flags);
  int (*fremovexattr)(int fd, const char* name);
  int (*fstat)(int fd, struct stat* info);
  int (*fstatat)(int dir, const char* path, struct stat* info, int flags);
  int (*statx)(int dir, const char* path, int flags, unsigned mask, struct statx* info);
  int (*mkdirat)(int dir, const char* path, mode_t mode);
  int (*unlinkat)(int dir, const char* path, int flags);
  int (*renameat2)(int from_dir, const char* from, int to_dir, const char* to, unsigned flags);
  int (*linkat)(int from_dir, const char* from, int to_dir, const char* to, int flags);
  ssize_t (*getdents64)(int fd, void* buffer, std::size_t size);
  ssize_t (*readlinkat)(int dir, const char* path, char* buffer, std::size_t size);
  int (*faccessat)(int dir, const char* path, int mode, int flags);
  int (*fstatfs)(int fd, struct statfs* info);
  char* (*getcwd)(char* buffer, std::size_t size);
  int (*chdir)(const char* path);
  uid_t (*geteuid)();
  ssize_t (*getrandom)(void* buffer, std::size_t size, unsigned flags);
  int (*clock_gettime)(clockid_t clock, timespec* time);
  int (*nanosleep)(const timespec* time, timespec* left);
  int (*uname)(utsname* names);
  int (*ioctl_winsize)(int fd, winsize* size);
  int (*fcntl_getfd)(int fd);
  int (*sigaction)(int signal, const struct sigaction* action, struct sigaction* old);
  int (*fcntl_setfd)(int fd, int flags);
  int (*fcntl_getfl)(int fd);
  int (*sigprocmask)(int how, const sigset_t* set, sigset_t* old);
  int (*signalfd)(int fd, const sigset_t* set, int flags);
  int (*timerfd_create)(int clock, int flags);
  int (*timerfd_settime)(int fd, int flags, const itimerspec* value, itimerspec* old);
  int (*poll)(pollfd* fds, nfds_t count, int timeout_ms);
  int (*pipe2)(int* ends, int flags);
  int (*dup2)(int from, int to);
  pid_t (*fork)();
  int (*execve)(const char* path, char* const* argv, char* const* envp);
  void (*exit_process)(int code);
  int (*waitid)(idtype_t type, id_t id, siginfo_t* info, int options);
  int (*kill)(pid_t pid, int signal);
  int (*pidfd_open)(pid_t pid, unsigned flags);
  int (*pidfd_send_signal)(int pidfd, int signal);
  int (*prctl_subreaper)(int on);
  pid_t (*setsid)();
  pid_t (*getpid)();
  pid_t (*getsid)(pid_t pid);
};

const SysTable& sys();

enum class Effect : std::uint8_t {
  kQuery,   // looks, or changes only this process
  kMutate,  // changes what other processes or a later boot can see
  kOpen,    // mutates only with O_CREAT, O_TRUNC or O_TMPFILE
};

// Calls `visit.template operator()<&SysTable::member>(name, effect)` for every member, in order.
template <typename Visitor>
constexpr void for_each_sys_call(Visitor&& visit) {
  visit.template operator()<&SysTable::openat>("openat", Effect::kOpen);
  visit.template operator()<&SysTable::openat2>("openat2", Effect::kOpen);
  visit.template operator()<&SysTable::close>("close", Effect::kQuery);
  visit.template operator()<&SysTable::read>("read", Effect::kQuery);
  visit.template operator()<&SysTable::pread>("pread", Effect::kQuery);
  visit.template operator()<&SysTable::write>("write", Effect::kMutate);
  visit.template operator()<&SysTable::pwrite>("pwrite", Effect::kMutate);
  visit.template operator()<&SysTable::ftruncate>("ftruncate", Effect::kMutate);
  visit.template operator()<&SysTable::fallocate>("fallocate", Effect::kMutate);
  visit.template operator()<&SysTable::fsync>("fsync", Effect::kMutate);
  visit.template operator()<&SysTable::fdatasync>("fdatasync", Effect::kMutate);
  visit.template operator()<&SysTable::sync_file_range>("sync_file_range", Effect::kQuery);
  visit.template operator()<&SysTable::flock>("flock", Effect::kMutate);
  visit.template operator()<&SysTable::fchmod>("fchmod", Effect::kMutate);
  visit.template operator()<&SysTable::fchmodat>("fchmodat", Effect::kMutate);
  visit.template operator()<&SysTable::fchown>("fchown", Effect::kMutate);
  visit.template operator()<&SysTable::umask>("umask", Effect::kQuery);
  visit.template operator()<&SysTable::flistxattr>("flistxattr", Effect::kQuery);
  visit.template operator()<&SysTable::fgetxattr>("fgetxattr", Effect::kQuery);
  visit.template operator()<&SysTable::fsetxattr>("fsetxattr", Effect::kMutate);
  visit.template operator()<&SysTable::fremovexattr>("fremovexattr", Effect::kMutate);
  visit.template operator()<&SysTable::fstat>("fstat", Effect::kQuery);
  visit.template operator()<&SysTable::fstatat>("fstatat", Effect::kQuery);
  visit.template operator()<&SysTable::statx>("statx", Effect::kQuery);
  visit.template operator()<&SysTable::mkdirat>("mkdirat", Effect::kMutate);
  visit.template operator()<&SysTable::unlinkat>("unlinkat", Effect::kMutate);
  visit.template operator()<&SysTable::renameat2>("renameat2", Effect::kMutate);
  visit.template operator()<&SysTable::linkat>("linkat", Effect::kMutate);
  visit.template operator()<&SysTable::getdents64>("getdents64", Effect::kQuery);
  visit.template operator()<&SysTable::readlinkat>("readlinkat", Effect::kQuery);
  visit.template operator()<&SysTable::faccessat>("faccessat", Effect::kQuery);
  visit.template operator()<&SysTable::fstatfs>("fstatfs", Effect::kQuery);
  visit.template operator()<&SysTable::getcwd>("getcwd", Effect::kQuery);
  visit.template operator()<&SysTable::chdir>("chdir", Effect::kQuery);
  visit.template operator()<&SysTable::geteuid>("geteuid", Effect::kQuery);
  visit.template operator()<&SysTable::getrandom>("getrandom", Effect::kQuery);
  visit.template operator()<&SysTable::clock_gettime>("clock_gettime", Effect::kQuery);
  visit.template operator()<&SysTable::nanosleep>("nanosleep", Effect::kQuery);
  visit.template operator()<&SysTable::uname>("uname", Effect::kQuery);
  visit.template operator()<&SysTable::ioctl_winsize>("ioctl_winsize", Effect::kQuery);
  visit.template operator()<&SysTable::fcntl_getfd>("fcntl_getfd", Effect::kQuery);
  visit.template operator()<&SysTable::sigaction>("sigaction", Effect::kQuery);
  visit.template operator()<&SysTable::fcntl_setfd>("fcntl_setfd", Effect::kQuery);
  visit.template operator()<&SysTable::fcntl_getfl>("fcntl_getfl", Effect::kQuery);
  visit.template operator()<&SysTable::sigprocmask>("sigprocmask", Effect::kQuery);
  visit.template operator()<&SysTable::signalfd>("signalfd", Effect::kQuery);
  visit.template operator()<&SysTable::timerfd_create>("timerfd_create", Effect::kQuery);
  visit.template operator()<&SysTable::timerfd_settime>("timerfd_settime", Effect::kQuery);
  visit.template operator()<&SysTable::poll>("poll", Effect::kQuery);
  visit.template operator()<&SysTable::pipe2>("pipe2", Effect::kQuery);
  visit.template operator()<&SysTable::dup2>("dup2", Effect::kQuery);
  visit.template operator()<&SysTable::fork>("fork", Effect::kMutate);
  visit.template operator()<&SysTable::execve>("execve", Effect::kMutate);
  visit.template operator()<&SysTable::exit_process>("exit_process", Effect::kQuery);
  visit.template operator()<&SysTable::waitid>("waitid", Effect::kMutate);
  visit.template operator()<&SysTable::kill>("kill", Effect::kMutate);
  visit.template operator()<&SysTable::pidfd_open>("pidfd_open", Effect::kQuery);
  visit.template operator()<&SysTable::pidfd_send_signal>("pidfd_send_signal", Effect::kMutate);
  visit.template operator()<&SysTable::prctl_subreaper>("prctl_subreaper", Effect::kQuery);
  visit.template operator()<&SysTable::setsid>("setsid", Effect::kMutate);
  visit.template operator()<&SysTable::getpid>("getpid", Effect::kQuery);
  visit.template operator()<&SysTable::getsid>("getsid", Effect::kQuery);
}

struct SysCallCounter {
  std::size_t count = 0;
  template <auto Member>
  constexpr void operator()(std::string_view, Effect) {
    ++count;
  }
};
static_assert(
    [] {
      SysCallCounter counter;
      for_each_sys_call(counter);
      return counter.count;
    }() == sizeof(SysTable) / sizeof(void (*)()),
    "for_each_sys_call and SysTable disagree");

// Repeats a call that a signal interrupted. Not for close: on Linux the descriptor is gone either
// way.
template <typename Call>
auto retry_eintr(Call&& call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result == -1 && errno == EINTR);
  return result;
}

}  // namespace holdfast::os
