// SPDX-License-Identifier: Apache-2.0
//
// steps FILE CMD…: runs CMD one instruction after the other, and writes where each that had not run
// before lies in its executable, in the order of their first run: one hexadecimal number a line.
// Its children are followed until they become another program. Exits as CMD does.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kMost = 256 << 20 };  // bytes of an executable

static void die(const char* what) {
  perror(what);
  exit(1);
}

static unsigned long lowest_address(pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  FILE* maps = fopen(path, "r");
  unsigned long address = 0;
  if (maps == NULL || fscanf(maps, "%lx", &address) != 1) die(path);
  fclose(maps);
  return address;
}

int main(int argc, char** argv) {
  if (argc < 3) return 64;
  FILE* out = fopen(argv[1], "w");
  unsigned char* seen = calloc(kMost, 1);
  if (out == NULL || seen == NULL) die(argv[1]);
  const pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(argv[2], argv + 2);
    die(argv[2]);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  if (!WIFSTOPPED(status)) return 1;
  const unsigned long base = lowest_address(pid);
  const long options =
      PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
  if (ptrace(PTRACE_SETOPTIONS, pid, 0, options) < 0) die("trace");
  int code = 1;
  pid_t stopped = pid;
  do {
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (stopped == pid && WIFEXITED(status)) code = WEXITSTATUS(status);
      continue;
    }
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
      ptrace(PTRACE_DETACH, stopped, 0, 0);
      continue;
    }
    const long rip = ptrace(PTRACE_PEEKUSER, stopped, offsetof(struct user_regs_struct, rip), 0);
    const unsigned long at = (unsigned long)rip - base;
    if (at < kMost && !seen[at]) {
      seen[at] = 1;
      fprintf(out, "%lx\n", at);
    }
    // A new child stops with SIGSTOP, which is not for it; everything else is.
    const int signal = WSTOPSIG(status);
    const int passed_on = signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
    ptrace(PTRACE_SINGLESTEP, stopped, 0, passed_on);
  } while ((stopped = waitpid(-1, &status, __WALL)) > 0);
  return fclose(out) == 0 ? code : 1;
}
