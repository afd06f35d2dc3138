// SPDX-License-Identifier: Apache-2.0
#include "os/sys_linux.h"

#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

namespace holdfast::os {
namespace {

int real_openat(int dir, const char* path, int flags, mode_t mode) {
  return ::openat(dir, path, flags, mode);
}
int real_openat2(int dir, const char* path, const open_how* how) {
  return static_cast<int>(::syscall(SYS_openat2, dir, path, how, sizeof(*how)));
}
int real_ioctl_winsize(int fd, winsize* size) { return ::ioctl(fd, TIOCGWINSZ, size); }
int real_fcntl_getfd(int fd) { return ::fcntl(fd, F_GETFD); }

}  // namespace

// Declared for tests in src/testing/sys_swap.h and nowhere else.
extern SysTable g_sys_table;
constinit SysTable g_sys_table{
    .openat = real_openat,
    .openat2 = real_openat2,
    .close = ::close,
    .read = ::read,
    .pread = ::pread,
    .write = ::write,
    .pwrite = ::pwrite,
    .ftruncate = ::ftruncate,
    .fsync = ::fsync,
    .fchmod = ::fchmod,
    .fstat = ::fstat,
    .fstatat = ::fstatat,
    .mkdirat = ::mkdirat,
    .unlinkat = ::unlinkat,
    .renameat2 = ::renameat2,
    .linkat = ::linkat,
    .getdents64 = ::getdents64,
    .readlinkat = ::readlinkat,
    .faccessat = ::faccessat,
    .geteuid = ::geteuid,
    .getrandom = ::getrandom,
    .clock_gettime = ::clock_gettime,
    .ioctl_winsize = real_ioctl_winsize,
    .fcntl_getfd = real_fcntl_getfd,
    .sigaction = ::sigaction,
};

const SysTable& sys() { return g_sys_table; }

}  // namespace holdfast::os
