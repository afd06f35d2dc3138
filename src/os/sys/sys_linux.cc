// SPDX-License-Identifier: Apache-2.0
#include "os/sys/sys_linux.h"

#include <sched.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "os/sys/sys_list_linux.h"

namespace holdfast::os {
namespace {

int real_openat(int dir, const char* path, int flags, mode_t mode) {
  return ::openat(dir, path, flags, mode);
}
int real_openat2(int dir, const char* path, const open_how* how) {
  return static_cast<int>(::syscall(SYS_openat2, dir, path, how, sizeof(*how)));
}
ssize_t real_send_now(int fd, const void* bytes, std::size_t size) {
  return ::send(fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}
int real_ioctl_set_winsize(int fd, const winsize* size) { return ::ioctl(fd, TIOCSWINSZ, size); }
int real_ioctl_pty_slave(int master, int flags) {
  int unlock = 0;
  if (::ioctl(master, TIOCSPTLCK, &unlock) != 0) return -1;
  return ::ioctl(master, TIOCGPTPEER, flags);
}
int real_tcsetattr(int fd, const termios* settings) { return ::tcsetattr(fd, TCSADRAIN, settings); }
int real_ioctl_pidfd_info(int pidfd, PidfdInfo* info) {
  constexpr unsigned kPidfdMagic = 0xFF;
  constexpr unsigned kGetInfo = 11;
  return ::ioctl(pidfd, _IOWR(kPidfdMagic, kGetInfo, PidfdInfo), info);
}
int real_ioctl_controlling_terminal(int fd) { return ::ioctl(fd, TIOCSCTTY, 0); }
int real_ioctl_winsize(int fd, winsize* size) { return ::ioctl(fd, TIOCGWINSZ, size); }
int real_fcntl_getfd(int fd) { return ::fcntl(fd, F_GETFD); }
int real_fcntl_setfd(int fd, int flags) { return ::fcntl(fd, F_SETFD, flags); }
int real_fcntl_getfl(int fd) { return ::fcntl(fd, F_GETFL); }
int real_fcntl_dupfd(int fd, int lowest) { return ::fcntl(fd, F_DUPFD, lowest); }
int real_connect_now(const char* path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t size = std::strlen(path);
  if (size == 0 || size >= sizeof(address.sun_path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  std::memcpy(address.sun_path, path, size);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what the call wants
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return fd;
  const int why = errno;
  ::close(fd);
  errno = why;
  return -1;
}
int real_socket_peer(int fd, ucred* peer) {
  socklen_t size = sizeof(*peer);
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size);
}
int real_pidfd_open(pid_t pid, unsigned flags) {
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, flags));
}
int real_pidfd_send_signal(int pidfd, int signal, siginfo_t* info) {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd, signal, info, 0));
}
pid_t real_clone_vm(int (*child)(void*), void* stack_end, void* argument) {
  return ::clone(child, stack_end, CLONE_VM | SIGCHLD, argument);
}
pid_t real_clone3(const clone_args* args) {
  return static_cast<pid_t>(::syscall(SYS_clone3, args, sizeof(*args)));
}
int real_prlimit(pid_t pid, int resource, const rlimit64* value, rlimit64* old) {
  return static_cast<int>(::syscall(SYS_prlimit64, pid, resource, value, old));
}
int real_ofd_lock(int fd, int command, struct flock* range) { return ::fcntl(fd, command, range); }
int real_futex_wait(const std::uint32_t* word, std::uint32_t expected, const timespec* limit) {
  return static_cast<int>(
      ::syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, limit, nullptr, 0));
}
int real_futex_wake(const std::uint32_t* word, int count, bool shared) {
  const int operation = shared ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE;
  return static_cast<int>(::syscall(SYS_futex, word, operation, count, nullptr, nullptr, 0));
}
int real_futex_waitv(struct futex_waitv* words, unsigned count, const timespec* mono_until) {
  return static_cast<int>(::syscall(SYS_futex_waitv, words, count, 0, mono_until, CLOCK_MONOTONIC));
}
void* real_mmap_read(int fd, off_t offset, std::size_t size) {
  void* const page = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, offset);
  return page == MAP_FAILED ? nullptr : page;
}
int real_prctl_parent_death_signal(int signal) {
  return ::prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}
int real_mount(const char* source, const char* target, const char* type, unsigned long flags) {
  return ::mount(source, target, type, flags, nullptr);
}
int real_prctl_subreaper(int on) { return ::prctl(PR_SET_CHILD_SUBREAPER, on, 0, 0, 0); }

}  // namespace

// Declared for tests in src/testing/sys_swap_linux.cc and nowhere else.
extern SysTable g_sys_table;
constinit SysTable g_sys_table{
    .openat = real_openat,
    .openat2 = real_openat2,
    .close = ::close,
    .read = ::read,
    .pread = ::pread,
    .write = ::write,
    .send_now = real_send_now,
    .pwrite = ::pwrite,
    .ftruncate = ::ftruncate,
    .fallocate = ::fallocate,
    .fsync = ::fsync,
    .fdatasync = ::fdatasync,
    .sync_file_range = ::sync_file_range,
    .flock = ::flock,
    .ofd_lock = real_ofd_lock,
    .futex_wait = real_futex_wait,
    .futex_wake = real_futex_wake,
    .futex_waitv = real_futex_waitv,
    .mmap_read = real_mmap_read,
    .munmap = ::munmap,
    .fchmod = ::fchmod,
    .fchmodat = ::fchmodat,
    .fchown = ::fchown,
    .umask = ::umask,
    .flistxattr = ::flistxattr,
    .fgetxattr = ::fgetxattr,
    .fsetxattr = ::fsetxattr,
    .fremovexattr = ::fremovexattr,
    .fstat = ::fstat,
    .fstatat = ::fstatat,
    .statx = ::statx,
    .mkdirat = ::mkdirat,
    .mkfifoat = ::mkfifoat,
    .symlinkat = ::symlinkat,
    .unlinkat = ::unlinkat,
    .renameat2 = ::renameat2,
    .linkat = ::linkat,
    .getdents64 = ::getdents64,
    .readlinkat = ::readlinkat,
    .faccessat = ::faccessat,
    .fstatfs = ::fstatfs,
    .getcwd = ::getcwd,
    .chdir = ::chdir,
    .geteuid = ::geteuid,
    .getegid = ::getegid,
    .getrandom = ::getrandom,
    .clock_gettime = ::clock_gettime,
    .nanosleep = ::nanosleep,
    .uname = ::uname,
    .ioctl_winsize = real_ioctl_winsize,
    .ioctl_controlling_terminal = real_ioctl_controlling_terminal,
    .ioctl_set_winsize = real_ioctl_set_winsize,
    .ioctl_pty_slave = real_ioctl_pty_slave,
    .ioctl_pidfd_info = real_ioctl_pidfd_info,
    .tcgetattr = ::tcgetattr,
    .tcsetattr = real_tcsetattr,
    .fcntl_getfd = real_fcntl_getfd,
    .sigaction = ::sigaction,
    .fcntl_setfd = real_fcntl_setfd,
    .fcntl_getfl = real_fcntl_getfl,
    .fcntl_dupfd = real_fcntl_dupfd,
    .sigprocmask = ::sigprocmask,
    .signalfd = ::signalfd,
    .timerfd_create = ::timerfd_create,
    .timerfd_settime = ::timerfd_settime,
    .timer_create = ::timer_create,
    .timer_settime = ::timer_settime,
    .timer_delete = ::timer_delete,
    .poll = ::poll,
    .epoll_create1 = ::epoll_create1,
    .epoll_ctl = ::epoll_ctl,
    .pipe2 = ::pipe2,
    .inotify_init = ::inotify_init1,
    .inotify_add_watch = ::inotify_add_watch,
    .dup2 = ::dup2,
    .fork = ::fork,
    .clone_vm = real_clone_vm,
    .clone3 = real_clone3,
    .prlimit = real_prlimit,
    .execve = ::execve,
    .exit_process = ::_exit,
    .waitid = ::waitid,
    .kill = ::kill,
    .connect_now = real_connect_now,
    .socket_peer = real_socket_peer,
    .pidfd_open = real_pidfd_open,
    .pidfd_send_signal = real_pidfd_send_signal,
    .prctl_subreaper = real_prctl_subreaper,
    .prctl_parent_death_signal = real_prctl_parent_death_signal,
    .mount = real_mount,
    .setsid = ::setsid,
    .getpid = ::getpid,
    .getsid = ::getsid,
};

const SysTable& sys() { return g_sys_table; }

}  // namespace holdfast::os
