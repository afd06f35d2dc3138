// SPDX-License-Identifier: Apache-2.0
//
// The members of the call table one by one, for who must do something with each: the sweeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "os/sys/sys_linux.h"

namespace holdfast::os {

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
  visit.template operator()<&SysTable::send_now>("send_now", Effect::kMutate);
  visit.template operator()<&SysTable::pwrite>("pwrite", Effect::kMutate);
  visit.template operator()<&SysTable::ftruncate>("ftruncate", Effect::kMutate);
  visit.template operator()<&SysTable::fallocate>("fallocate", Effect::kMutate);
  visit.template operator()<&SysTable::fsync>("fsync", Effect::kMutate);
  visit.template operator()<&SysTable::fdatasync>("fdatasync", Effect::kMutate);
  visit.template operator()<&SysTable::sync_file_range>("sync_file_range", Effect::kQuery);
  visit.template operator()<&SysTable::flock>("flock", Effect::kMutate);
  visit.template operator()<&SysTable::ofd_lock>("ofd_lock", Effect::kMutate);
  visit.template operator()<&SysTable::futex_wait>("futex_wait", Effect::kQuery);
  visit.template operator()<&SysTable::futex_wake>("futex_wake", Effect::kQuery);
  visit.template operator()<&SysTable::futex_waitv>("futex_waitv", Effect::kQuery);
  visit.template operator()<&SysTable::mmap_read>("mmap_read", Effect::kQuery);
  visit.template operator()<&SysTable::munmap>("munmap", Effect::kQuery);
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
  visit.template operator()<&SysTable::mkfifoat>("mkfifoat", Effect::kMutate);
  visit.template operator()<&SysTable::symlinkat>("symlinkat", Effect::kMutate);
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
  visit.template operator()<&SysTable::getegid>("getegid", Effect::kQuery);
  visit.template operator()<&SysTable::getrandom>("getrandom", Effect::kQuery);
  visit.template operator()<&SysTable::clock_gettime>("clock_gettime", Effect::kQuery);
  visit.template operator()<&SysTable::nanosleep>("nanosleep", Effect::kQuery);
  visit.template operator()<&SysTable::uname>("uname", Effect::kQuery);
  visit.template operator()<&SysTable::ioctl_winsize>("ioctl_winsize", Effect::kQuery);
  visit.template operator()<&SysTable::ioctl_controlling_terminal>("ioctl_controlling_terminal",
                                                                   Effect::kMutate);
  visit.template operator()<&SysTable::ioctl_set_winsize>("ioctl_set_winsize", Effect::kQuery);
  visit.template operator()<&SysTable::ioctl_pty_slave>("ioctl_pty_slave", Effect::kQuery);
  visit.template operator()<&SysTable::ioctl_pidfd_info>("ioctl_pidfd_info", Effect::kQuery);
  visit.template operator()<&SysTable::tcgetattr>("tcgetattr", Effect::kQuery);
  visit.template operator()<&SysTable::tcsetattr>("tcsetattr", Effect::kQuery);
  visit.template operator()<&SysTable::fcntl_getfd>("fcntl_getfd", Effect::kQuery);
  visit.template operator()<&SysTable::sigaction>("sigaction", Effect::kQuery);
  visit.template operator()<&SysTable::fcntl_setfd>("fcntl_setfd", Effect::kQuery);
  visit.template operator()<&SysTable::fcntl_getfl>("fcntl_getfl", Effect::kQuery);
  visit.template operator()<&SysTable::fcntl_dupfd>("fcntl_dupfd", Effect::kQuery);
  visit.template operator()<&SysTable::sigprocmask>("sigprocmask", Effect::kQuery);
  visit.template operator()<&SysTable::signalfd>("signalfd", Effect::kQuery);
  visit.template operator()<&SysTable::timerfd_create>("timerfd_create", Effect::kQuery);
  visit.template operator()<&SysTable::timerfd_settime>("timerfd_settime", Effect::kQuery);
  visit.template operator()<&SysTable::timer_create>("timer_create", Effect::kQuery);
  visit.template operator()<&SysTable::timer_settime>("timer_settime", Effect::kQuery);
  visit.template operator()<&SysTable::timer_delete>("timer_delete", Effect::kQuery);
  visit.template operator()<&SysTable::poll>("poll", Effect::kQuery);
  visit.template operator()<&SysTable::epoll_create1>("epoll_create1", Effect::kQuery);
  visit.template operator()<&SysTable::epoll_ctl>("epoll_ctl", Effect::kQuery);
  visit.template operator()<&SysTable::pipe2>("pipe2", Effect::kQuery);
  visit.template operator()<&SysTable::inotify_init>("inotify_init", Effect::kQuery);
  visit.template operator()<&SysTable::inotify_add_watch>("inotify_add_watch", Effect::kQuery);
  visit.template operator()<&SysTable::dup2>("dup2", Effect::kQuery);
  visit.template operator()<&SysTable::fork>("fork", Effect::kMutate);
  visit.template operator()<&SysTable::clone_vm>("clone_vm", Effect::kMutate);
  visit.template operator()<&SysTable::clone3>("clone3", Effect::kMutate);
  visit.template operator()<&SysTable::prlimit>("prlimit", Effect::kMutate);
  visit.template operator()<&SysTable::execve>("execve", Effect::kMutate);
  visit.template operator()<&SysTable::exit_process>("exit_process", Effect::kQuery);
  visit.template operator()<&SysTable::waitid>("waitid", Effect::kMutate);
  visit.template operator()<&SysTable::kill>("kill", Effect::kMutate);
  visit.template operator()<&SysTable::connect_now>("connect_now", Effect::kQuery);
  visit.template operator()<&SysTable::socket_peer>("socket_peer", Effect::kQuery);
  visit.template operator()<&SysTable::pidfd_open>("pidfd_open", Effect::kQuery);
  visit.template operator()<&SysTable::pidfd_send_signal>("pidfd_send_signal", Effect::kMutate);
  visit.template operator()<&SysTable::prctl_subreaper>("prctl_subreaper", Effect::kQuery);
  visit.template operator()<&SysTable::prctl_parent_death_signal>("prctl_parent_death_signal",
                                                                  Effect::kQuery);
  visit.template operator()<&SysTable::mount>("mount", Effect::kMutate);
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

}  // namespace holdfast::os
