// SPDX-License-Identifier: Apache-2.0
//
// The hostile moments between fork and exec.
//
// A parent that is killed right after the fork leaves a child that nobody has recorded. Were it to
// run the command, an untracked process would live on; so it waits for one byte and takes EOF for
// "nobody knows you: exit". EOF comes only if *no* process holds the writing end, and the child's
// own copy is one of them: it is closed first thing.
//
// A signal may arrive at any point here. Everything is blocked from before the fork until the mask
// is set back just before exec; the dispositions are default or ignored, never a handler of the
// parent's. A TERM that waited strikes at that moment: the child dies of it and the error pipe
// closes empty, as if the command had started and died at once, which is what the sender meant.
//
// Another thread may have held malloc's lock at the fork. It will never be released in the child,
// so all that the child needs is laid out before.
#include "os/spawn.h"

#include <unistd.h>

#include "os/env.h"
#include "os/exec_path.h"
#include "os/native_linux.h"
#include "os/os_error.h"
#include "os/pipe.h"
#include "os/safe_name.h"
#include "os/signal_mask_linux.h"
#include "os/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr int kNeverRan = 125;

// All that the child touches, made before the fork.
struct ChildPlan {
  std::vector<const char*> programs;
  bool searched = false;  // along PATH
  std::vector<char*> argv;
  sigset_t mask{};
  bool ignore_child_signal = false;
  StdoutTo stdout_to = StdoutTo::kStdout;
  int gate_read = -1;
  int gate_write = -1;
  int report = -1;
};

// As in execvp: an entry that cannot be searched or is not executable does not end the search, and
// "permission denied" outweighs "not found". One thing more: ENOENT for a file that is there means
// that its interpreter is missing.
StartFailure try_programs(const ChildPlan& plan) {
  StartFailure worst{.kind = StartFailure::Kind::kNotFound, .os_code = ENOENT};
  for (const char* program : plan.programs) {
    sys().execve(program, plan.argv.data(), environ);
    const int os_code = errno;
    const bool absent =
        os_code == ENOENT && sys().faccessat(AT_FDCWD, program, F_OK, 0) != 0 && errno == ENOENT;
    const bool go_on = os_code == ENOENT || os_code == EACCES || os_code == ENOTDIR ||
                       os_code == ESTALE || os_code == ENODEV || os_code == ETIMEDOUT;
    const bool passed_by = absent || (os_code == ENOTDIR && plan.searched);
    if (!passed_by) worst = {.kind = StartFailure::Kind::kNotExecutable, .os_code = os_code};
    if (!go_on) break;
  }
  return worst;
}

// Sets up what the command inherits; false with errno where a step fails.
bool prepare_child(const ChildPlan& plan) {
  if (plan.stdout_to == StdoutTo::kStderr &&
      retry_eintr([] { return sys().dup2(STDERR_FILENO, STDOUT_FILENO); }) < 0) {
    return false;
  }
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  if (sys().sigaction(SIGPIPE, &action, nullptr) != 0) return false;
  action.sa_handler = SIG_IGN;
  if (plan.ignore_child_signal && sys().sigaction(SIGCHLD, &action, nullptr) != 0) return false;
  return sys().sigprocmask(SIG_SETMASK, &plan.mask, nullptr) == 0;
}

[[noreturn]] void run_child(const ChildPlan& plan) {
  sys().close(plan.gate_write);
  char go = 0;
  if (retry_eintr([&] { return sys().read(plan.gate_read, &go, 1); }) != 1) {
    exit_process(kNeverRan);
  }
  StartFailure failure{.kind = StartFailure::Kind::kNotReached, .os_code = 0};
  if (prepare_child(plan)) {
    failure = try_programs(plan);
  } else {
    failure.os_code = errno;
  }
  // Should even this fail, the pipe closes empty and the exit code is all that is left to say.
  retry_eintr([&] { return sys().write(plan.report, &failure, sizeof(failure)); });
  exit_process(kNeverRan);
}

}  // namespace

Result<Spawned> spawn(const SpawnRequest& request) {
  for (const std::string& word : request.argv) HF_TRY(check_path_text(word));
  const std::vector<std::string> candidates = exec_candidates(request.argv.at(0), env("PATH"));
  ChildPlan plan;
  for (const std::string& candidate : candidates) plan.programs.push_back(candidate.c_str());
  plan.searched = request.argv[0].find('/') == std::string::npos;
  // execve takes pointers to mutable bytes but does not write to them.
  for (const std::string& word : request.argv) plan.argv.push_back(const_cast<char*>(word.c_str()));
  plan.argv.push_back(nullptr);
  plan.mask = to_sigset(request.signals.blocked);
  plan.ignore_child_signal = request.signals.child_ignored;
  plan.stdout_to = request.stdout_to;

  Pipe gate = HF_TRY(make_pipe());
  Pipe start = HF_TRY(make_pipe());
  plan.gate_read = fd_of(gate.read_end);
  plan.gate_write = fd_of(gate.write_end);
  plan.report = fd_of(start.write_end);

  Forked forked = HF_TRY(fork_process());
  if (forked.in_child) run_child(plan);
  return Spawned(std::move(forked.child), std::move(gate.write_end), std::move(start.read_end));
}

Result<> Spawned::release() {
  const char go = 1;
  const ssize_t wrote = retry_eintr([&] { return sys().write(fd_of(gate_), &go, 1); });
  Result<> result;
  if (wrote != 1) result = fail(last_os_error("let the command go in", "its child process"));
  gate_.reset();
  return result;
}

Result<std::optional<StartFailure>> Spawned::read_start() {
  StartFailure failure;
  const ssize_t got =
      retry_eintr([&] { return sys().read(fd_of(start_), &failure, sizeof(failure)); });
  if (got < 0) return fail(last_os_error("learn whether", "the command started"));
  start_.reset();
  if (got != static_cast<ssize_t>(sizeof(failure))) return std::optional<StartFailure>();
  return std::optional(failure);
}

}  // namespace holdfast::os
