// SPDX-License-Identifier: Apache-2.0
//
// The calls of a child between its birth and its command, in two ways with one manner: the result,
// or -errno.
//
//   TableCalls  those of the system-call table, for a child that has memory of its own
//   BareCalls   the kernel's alone, for one that shares its parent's memory: errno belongs to a
//               thread of the parent's, and the table to its tests. They touch nothing but their
//               arguments.
//
// Limits: bare calls are written for x86-64 and ARM64. A sanitizer keeps books of its own about the
// stack of each thread, which two processes must not write at once; so not under one either.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "os/sys/sys_linux.h"

#ifndef __has_feature  // Clang's word for it
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||       \
    defined(__SANITIZE_HWADDRESS__) || __has_feature(address_sanitizer) || \
    __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) ||  \
    __has_feature(hwaddress_sanitizer)
#define HF_BARE_CALLS 0
#elif defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))
#define HF_BARE_CALLS 1
#else
#define HF_BARE_CALLS 0
#endif

namespace holdfast::os {

struct TableCalls {
  static long close(int fd) { return plain(sys().close(fd)); }
  static long read(int fd, void* into, std::size_t size) {
    return plain(sys().read(fd, into, size));
  }
  static long write(int fd, const void* bytes, std::size_t size) {
    return plain(sys().write(fd, bytes, size));
  }
  static long chdir(const char* path) { return plain(sys().chdir(path)); }
  static long setsid() { return plain(sys().setsid()); }
  static long dup2(int from, int to) { return plain(sys().dup2(from, to)); }
  static long keep_over_exec(int fd) { return plain(sys().fcntl_setfd(fd, 0)); }
  static long take_terminal(int fd) { return plain(sys().ioctl_controlling_terminal(fd)); }
  static long set_action(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    return plain(sys().sigaction(signal, &action, nullptr));
  }
  static long set_mask(const sigset_t& mask) {
    return plain(sys().sigprocmask(SIG_SETMASK, &mask, nullptr));
  }
  static long execve(const char* program, char* const* argv, char* const* environment) {
    return plain(sys().execve(program, argv, environment));
  }
  static long exists(const char* path) { return plain(sys().faccessat(AT_FDCWD, path, F_OK, 0)); }
  static bool is_handled(int signal) {
    struct sigaction action{};
    const long result = plain(sys().sigaction(signal, nullptr, &action));
    return result == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
  }
  static void end(int code) { sys().exit_process(code); }

 private:
  static long plain(long result) { return result == -1 ? -errno : result; }
};

#if HF_BARE_CALLS

class BareCalls {
 public:
  static long close(int fd) { return call(SYS_close, fd); }
  static long read(int fd, void* into, std::size_t size) { return call(SYS_read, fd, into, size); }
  static long write(int fd, const void* bytes, std::size_t size) {
    return call(SYS_write, fd, bytes, size);
  }
  static long chdir(const char* path) { return call(SYS_chdir, path); }
  static long setsid() { return call(SYS_setsid); }
  static long dup2(int from, int to) { return call(SYS_dup3, from, to); }  // never onto itself
  static long keep_over_exec(int fd) { return call(SYS_fcntl, fd, F_SETFD); }
  static long take_terminal(int fd) { return call(SYS_ioctl, fd, TIOCSCTTY); }
  static long set_action(int signal, void (*handler)(int)) {
    const Action action{.handler = handler};
    return call(SYS_rt_sigaction, signal, &action, nullptr, kSetBytes);
  }
  static long set_mask(const sigset_t& mask) {
    return call(SYS_rt_sigprocmask, SIG_SETMASK, &mask, nullptr, kSetBytes);
  }
  static long execve(const char* program, char* const* argv, char* const* environment) {
    return call(SYS_execve, program, argv, environment);
  }
  static long exists(const char* path) { return call(SYS_faccessat, AT_FDCWD, path, F_OK); }
  static bool is_handled(int signal) {
    Action action;
    const long result = call(SYS_rt_sigaction, signal, nullptr, &action, kSetBytes);
    return result == 0 && action.handler != SIG_DFL && action.handler != SIG_IGN;
  }
  static void end(int code) { call(SYS_exit_group, code); }

 private:
  static constexpr std::size_t kSetBytes = 8;  // of a set of signals
  // As the kernel has it; the restorer is for handlers, and there are none.
  struct Action {
    void (*handler)(int) = SIG_DFL;
    unsigned long flags = 0;
    void (*restorer)() = nullptr;
    std::uint64_t mask = 0;
  };

  static long word(int value) { return value; }
  static long word(std::size_t value) { return static_cast<long>(value); }
  static long word(std::nullptr_t) { return 0; }
  template <typename T>
  static long word(T* value) {
    return reinterpret_cast<long>(value);
  }

  // What is not given is 0.
  template <typename... Arguments>
  static long call(long number, Arguments... arguments) {
    const long words[4]{word(arguments)...};
    return enter(number, words[0], words[1], words[2], words[3]);
  }
#if defined(__x86_64__)
  static long enter(long number, long a, long b, long c, long d) {
    long result = number;
    register long fourth asm("r10") = d;
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(a), "S"(b), "d"(c), "r"(fourth)
                 : "rcx", "r11", "memory");
    return result;
  }
#else
  static long enter(long number, long a, long b, long c, long d) {
    register long eighth asm("x8") = number;
    register long first asm("x0") = a;
    register long second asm("x1") = b;
    register long third asm("x2") = c;
    register long fourth asm("x3") = d;
    asm volatile("svc #0"
                 : "+r"(first)
                 : "r"(eighth), "r"(second), "r"(third), "r"(fourth)
                 : "memory");
    return first;
  }
#endif
};

#endif

}  // namespace holdfast::os
