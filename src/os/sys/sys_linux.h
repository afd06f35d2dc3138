// SPDX-License-Identifier: Apache-2.0
//
// The system-call table: every call that os makes goes through it, so that tests can fail each one.
//
// Code in os writes `sys().openat(…)`; it reads like the plain call and costs one load. The table
// is constant to product code: only src/testing declares the means to swap it, so the tested
// objects are the shipped ones and no `#ifdef TEST` exists. Semantics are the kernel's: -1 and
// errno. A missing call shows as ENOSYS, as on an old kernel.
//
// To add a call: a member here, its real function in sys_linux.cc, its row in for_each_sys_call
// (sys_list_linux.h; a static_assert counts them), which says whether it changes the outside world.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace holdfast::os {

// What PIDFD_GET_INFO fills in (Linux 6.13; `exit_code` 6.15): newer than our headers.
struct PidfdInfo {
  std::uint64_t mask = 0;  // what is asked for, then what was answered
  std::uint64_t cgroup = 0;
  std::array<std::uint32_t, 11> ids{};  // the process, its thread group, its parent, its users
  std::int32_t exit_code = 0;           // as wait(2) gives it
};
static_assert(sizeof(PidfdInfo) == 64);
inline constexpr std::uint64_t kPidfdInfoExit = 1U << 3U;

struct SysTable {
  int (*openat)(int dir, const char* path, int flags, mode_t mode);
  int (*openat2)(int dir, const char* path, const open_how* how);
  int (*close)(int fd);
  ssize_t (*read)(int fd, void* buffer, std::size_t size);
  ssize_t (*pread)(int fd, void* buffer, std::size_t size, off_t offset);
  ssize_t (*write)(int fd, const void* bytes, std::size_t size);
  ssize_t (*send_now)(int fd, const void* bytes, std::size_t size);  // MSG_DONTWAIT, no SIGPIPE
  ssize_t (*pwrite)(int fd, const void* bytes, std::size_t size, off_t offset);
  int (*ftruncate)(int fd, off_t size);
  int (*fallocate)(int fd, int mode, off_t offset, off_t size);
  int (*fsync)(int fd);
  int (*fdatasync)(int fd);
  int (*sync_file_range)(int fd, off_t offset, off_t bytes, unsigned flags);
  int (*flock)(int fd, int operation);
  int (*ofd_lock)(int fd, int command, struct flock* range);  // fcntl with F_OFD_…
  int (*futex_wait)(const std::uint32_t* word, std::uint32_t expected, const timespec* limit);
  int (*futex_wake)(const std::uint32_t* word, int count, bool shared);
  int (*futex_waitv)(struct futex_waitv* words, unsigned count, const timespec* mono_until);
  void* (*mmap_read)(int fd, off_t offset, std::size_t size);  // shared; nullptr where it fails
  int (*munmap)(void* address, std::size_t size);
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
  int (*mkfifoat)(int dir, const char* path, mode_t mode);
  int (*symlinkat)(const char* target, int dir, const char* path);
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
  gid_t (*getegid)();
  ssize_t (*getrandom)(void* buffer, std::size_t size, unsigned flags);
  int (*clock_gettime)(clockid_t clock, timespec* time);
  int (*nanosleep)(const timespec* time, timespec* left);
  int (*uname)(utsname* names);
  int (*ioctl_winsize)(int fd, winsize* size);
  int (*ioctl_controlling_terminal)(int fd);
  int (*ioctl_set_winsize)(int fd, const winsize* size);
  int (*ioctl_pty_slave)(int master, int flags);  // unlocks it first
  int (*ioctl_pidfd_info)(int pidfd, PidfdInfo* info);
  int (*tcgetattr)(int fd, termios* settings);
  int (*tcsetattr)(int fd, const termios* settings);  // once what was written has gone out
  int (*fcntl_getfd)(int fd);
  int (*sigaction)(int signal, const struct sigaction* action, struct sigaction* old);
  int (*fcntl_setfd)(int fd, int flags);
  int (*fcntl_getfl)(int fd);
  int (*fcntl_dupfd)(int fd, int lowest);
  int (*sigprocmask)(int how, const sigset_t* set, sigset_t* old);
  int (*signalfd)(int fd, const sigset_t* set, int flags);
  int (*timerfd_create)(int clock, int flags);
  int (*timerfd_settime)(int fd, int flags, const itimerspec* value, itimerspec* old);
  int (*timer_create)(clockid_t clock, sigevent* event, timer_t* timer);
  int (*timer_settime)(timer_t timer, int flags, const itimerspec* value, itimerspec* old);
  int (*timer_delete)(timer_t timer);
  int (*poll)(pollfd* fds, nfds_t count, int timeout_ms);
  int (*epoll_create1)(int flags);
  int (*epoll_ctl)(int epoll, int operation, int fd, epoll_event* event);
  int (*pipe2)(int* ends, int flags);
  int (*inotify_init)(int flags);
  int (*inotify_add_watch)(int inotify, const char* path, std::uint32_t mask);
  int (*dup2)(int from, int to);
  pid_t (*fork)();
  pid_t (*clone_vm)(int (*child)(void*), void* stack_end, void* argument);  // memory is shared
  pid_t (*clone3)(const clone_args* args);  // without shared memory: it returns twice, as fork does
  int (*prlimit)(pid_t pid, int resource, const rlimit64* value, rlimit64* old);
  int (*execve)(const char* path, char* const* argv, char* const* envp);
  void (*exit_process)(int code);
  int (*waitid)(idtype_t type, id_t id, siginfo_t* info, int options);
  int (*kill)(pid_t pid, int signal);
  int (*connect_now)(const char* path);     // a new socket, to a stream socket with a name
  int (*socket_peer)(int fd, ucred* peer);  // SO_PEERCRED
  int (*pidfd_open)(pid_t pid, unsigned flags);
  int (*pidfd_send_signal)(int pidfd, int signal, siginfo_t* info);
  int (*prctl_subreaper)(int on);
  int (*prctl_parent_death_signal)(int signal);
  int (*mount)(const char* source, const char* target, const char* type, unsigned long flags);
  pid_t (*setsid)();
  pid_t (*getpid)();
  pid_t (*getsid)(pid_t pid);
};

const SysTable& sys();

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
