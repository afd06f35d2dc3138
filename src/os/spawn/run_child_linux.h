// SPDX-License-Identifier: Apache-2.0
//
// What a child does from its birth to its command: it waits at the gate, becomes what the plan
// says, and reports where it could not. It allocates nothing, takes no lock and writes to nothing
// but its own stack. Calls: os/spawn/child_calls_linux.h.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <span>

#include "os/signal/signal_mask_linux.h"
#include "os/spawn/child_plan_linux.h"
#include "os/spawn/spawn.h"

namespace holdfast::os {

// The exec of the first program that can be run, out of exec_candidates (program.h).
//
// As in execvp, an entry that cannot be searched or is not executable does not end the search, and
// "permission denied" outweighs "not found". One thing more: ENOENT for a file that is there means
// that its interpreter is missing.
struct ProgramChoice {
  std::span<const char* const> programs;
  bool searched = false;  // along PATH
  char* const* argv = nullptr;
  char* const* environment = nullptr;
};

// Comes back only where none could be run.
template <typename Calls>
StartFailure try_programs(const ProgramChoice& choice) {
  StartFailure worst{.kind = StartFailure::Kind::kNotFound, .os_code = ENOENT};
  for (const char* program : choice.programs) {
    // Most entries of PATH do not have it, and to ask costs less than an exec that fails.
    if (choice.searched && Calls::exists(program) == -ENOENT) continue;
    const int os_code = static_cast<int>(-Calls::execve(program, choice.argv, choice.environment));
    const bool absent = os_code == ENOENT && Calls::exists(program) == -ENOENT;
    const bool go_on = os_code == ENOENT || os_code == EACCES || os_code == ENOTDIR ||
                       os_code == ESTALE || os_code == ENODEV || os_code == ETIMEDOUT;
    const bool passed_by = absent || (os_code == ENOTDIR && choice.searched);
    if (!passed_by) worst = {.kind = StartFailure::Kind::kNotExecutable, .os_code = os_code};
    if (!go_on) break;
  }
  return worst;
}

inline constexpr int kNeverRan = 125;

// Again for as long as a signal cuts it short.
template <typename Call>
long uncut(Call call) {
  long result = 0;
  do {
    result = call();
  } while (result == -EINTR);
  return result;
}

// `to` becomes what `from` is, open for the command too.
template <typename Calls>
long become_stream(int from, int to) {
  return from == to ? 0 : uncut([&] { return Calls::dup2(from, to); });
}

// The parent's handlers know another process, and may be on the parent's own memory. exec drops
// them, too, but a signal that waited comes before it.
template <typename Calls>
long drop_handlers() {
  for (int signal = 1; signal <= kSignals; ++signal) {
    if (!Calls::is_handled(signal)) continue;
    if (const long got = Calls::set_action(signal, SIG_DFL); got < 0) return got;
  }
  return 0;
}

// Sets up what the command inherits; -errno of the first step that fails, else what is not
// negative.
template <typename Calls>
long prepare_child(const ChildPlan& plan) {
  const bool new_session = plan.session != SpawnSession::kKeep;
  if (const long got = new_session ? Calls::setsid() : 0; got < 0) return got;
  if (const long got = become_stream<Calls>(plan.input, STDIN_FILENO); got < 0) return got;
  if (const long got = become_stream<Calls>(plan.output, STDOUT_FILENO); got < 0) return got;
  if (const long got = become_stream<Calls>(plan.errors, STDERR_FILENO); got < 0) return got;
  if (plan.session == SpawnSession::kNewWithTerminal) {
    if (const long got = Calls::take_terminal(STDIN_FILENO); got < 0) return got;
  }
  for (const int fd : plan.inherit) {
    if (const long got = Calls::keep_over_exec(fd); got < 0) return got;
  }
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    if (const long got = Calls::set_action(signal, SIG_DFL); got < 0) return got;
  }
  if (plan.ignore_child_signal) {
    if (const long got = Calls::set_action(SIGCHLD, SIG_IGN); got < 0) return got;
  }
  if (const long got = drop_handlers<Calls>(); got < 0) return got;
  return Calls::set_mask(plan.mask);
}

template <typename Calls>
[[noreturn]] void run_child(const ChildPlan& plan) {
  Calls::close(plan.gate_write);
  char go = 0;
  if (uncut([&] { return Calls::read(plan.gate_read, &go, 1); }) != 1) {
    for (;;) Calls::end(kNeverRan);
  }
  StartFailure failure;
  if (const long left = plan.directory != nullptr ? Calls::chdir(plan.directory) : 0; left < 0) {
    failure = {.kind = StartFailure::Kind::kNoDirectory, .os_code = static_cast<int>(-left)};
  } else if (const long prepared = prepare_child<Calls>(plan); prepared < 0) {
    failure = {.kind = StartFailure::Kind::kNotReached, .os_code = static_cast<int>(-prepared)};
  } else {
    failure = try_programs<Calls>({.programs = plan.programs,
                                   .searched = plan.searched,
                                   .argv = plan.argv.data(),
                                   .environment = plan.environment.data()});
  }
  // Should even this fail, the pipe closes empty and the exit code is all that is left to say.
  uncut([&] { return Calls::write(plan.report, &failure, sizeof(failure)); });
  for (;;) Calls::end(kNeverRan);
}

// The life of a child that shares its parent's memory until its exec (spawn_linux.cc has why).
//
// It touches nothing but its own stack and the plan: no errno, no lock, no allocation, and no stack
// protector, which reads the memory of a thread that may have ended meanwhile.
//
// Limits: until the exec, what ends everybody who shares a memory (the OOM killer) ends both. A
// debugger that lets go of such a child takes its breakpoints out of the parent as well, and
// valgrind has no such children: it ends the program.
//
// Is it built for such children? Else live_sharing must not be used.
bool can_live_sharing();
// For clone(2); `plan` is a ChildPlan. Does not come back.
int live_sharing(void* plan);

}  // namespace holdfast::os
