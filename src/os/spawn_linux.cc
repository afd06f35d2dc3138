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

#include <ranges>
#include <string_view>

#include "os/env.h"
#include "os/environment_linux.h"
#include "os/exec_path.h"
#include "os/native_linux.h"
#include "os/os_error.h"
#include "os/pipe.h"
#include "os/safe_name.h"
#include "os/signal_mask_linux.h"
#include "os/sys_linux.h"
#include "os/try_programs_linux.h"

namespace holdfast::os {
namespace {

constexpr int kNeverRan = 125;

// All that the child touches, made before the fork.
struct ChildPlan {
  std::vector<const char*> programs;
  bool searched = false;  // along PATH
  std::vector<char*> argv;
  std::vector<char*> environment;
  const char* directory = nullptr;  // null: stay
  int input = STDIN_FILENO;         // what becomes the three streams
  int output = STDOUT_FILENO;
  int errors = STDERR_FILENO;
  SpawnSession session = SpawnSession::kKeep;
  std::vector<int> inherit;
  sigset_t mask{};
  bool ignore_child_signal = false;
  int gate_read = -1;
  int gate_write = -1;
  int report = -1;
};

// `to` becomes what `from` is, open for the command too. False with errno.
bool become_stream(int from, int to) {
  return from == to || retry_eintr([&] { return sys().dup2(from, to); }) >= 0;
}

// Sets up what the command inherits; false with errno where a step fails.
bool prepare_child(const ChildPlan& plan) {
  if (plan.session != SpawnSession::kKeep && sys().setsid() < 0) return false;
  if (!become_stream(plan.input, STDIN_FILENO)) return false;
  if (!become_stream(plan.output, STDOUT_FILENO)) return false;
  if (!become_stream(plan.errors, STDERR_FILENO)) return false;
  if (plan.session == SpawnSession::kNewWithTerminal &&
      sys().ioctl_controlling_terminal(STDIN_FILENO) != 0)
    return false;
  for (const int fd : plan.inherit) {
    if (sys().fcntl_setfd(fd, 0) != 0) return false;
  }
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    if (sys().sigaction(signal, &action, nullptr) != 0) return false;
  }
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
  StartFailure failure;
  if (plan.directory != nullptr && sys().chdir(plan.directory) != 0) {
    failure = {.kind = StartFailure::Kind::kNoDirectory, .os_code = errno};
  } else if (!prepare_child(plan)) {
    failure = {.kind = StartFailure::Kind::kNotReached, .os_code = errno};
  } else {
    failure = try_programs({.programs = plan.programs,
                            .searched = plan.searched,
                            .argv = plan.argv.data(),
                            .environment = plan.environment.data()});
  }
  // Should even this fail, the pipe closes empty and the exit code is all that is left to say.
  retry_eintr([&] { return sys().write(plan.report, &failure, sizeof(failure)); });
  exit_process(kNeverRan);
}

Result<> check(const SpawnRequest& request) {
  for (const std::string& word : request.argv) HF_TRY(check_path_text(word));
  if (request.directory) HF_TRY(check_path_text(*request.directory));
  return check_environment(request.environment);
}

std::optional<std::string> path_in(const std::vector<std::string>& added) {
  constexpr std::string_view kName = "PATH=";
  for (const std::string& assignment : std::views::reverse(added)) {
    if (assignment.starts_with(kName)) return assignment.substr(kName.size());
  }
  return env("PATH");
}

Result<Handle> open_nothing() {
  constexpr const char* kNothing = "/dev/null";
  Handle handle(
      retry_eintr([] { return sys().openat(AT_FDCWD, kNothing, O_RDONLY | O_CLOEXEC, 0); }));
  if (!handle.valid()) return fail(last_os_error("open", kNothing, "nothing was started"));
  return handle;
}

}  // namespace

Result<Spawned> spawn(const SpawnRequest& request) {
  HF_TRY(check(request));
  const std::vector<std::string> candidates =
      exec_candidates(request.argv.at(0), path_in(request.environment));
  ChildPlan plan;
  for (const std::string& candidate : candidates) plan.programs.push_back(candidate.c_str());
  plan.searched = request.argv[0].find('/') == std::string::npos;
  plan.argv = exec_words(request.argv);
  plan.environment = environment_with(request.environment, request.environment_without);
  if (request.directory) plan.directory = request.directory->c_str();
  for (const NativeHandle handle : request.inherit)
    plan.inherit.push_back(static_cast<int>(handle));
  plan.mask = to_sigset(request.signals.blocked);
  plan.ignore_child_signal = request.signals.child_ignored;

  Handle nothing;
  if (request.stdin_from == StdinFrom::kNothing) nothing = HF_TRY(open_nothing());
  if (nothing.valid()) plan.input = fd_of(nothing);
  if (request.stdin_from == StdinFrom::kHandle) plan.input = static_cast<int>(request.input);
  if (request.stdout_to == StdoutTo::kStderr) plan.output = STDERR_FILENO;
  if (request.stdout_to == StdoutTo::kHandle) plan.output = static_cast<int>(request.output);
  if (request.stderr_to == StderrTo::kHandle) plan.errors = static_cast<int>(request.errors);
  plan.session = request.session;

  Pipe gate = HF_TRY(make_pipe());
  Pipe start = HF_TRY(make_pipe());
  plan.gate_read = fd_of(gate.read_end);
  plan.gate_write = fd_of(gate.write_end);
  plan.report = fd_of(start.write_end);

  Forked forked =
      HF_TRY(request.cgroup == HandleTraits::nothing() ? fork_process()
                                                       : fork_into_cgroup(request.cgroup));
  if (forked.in_child) run_child(plan);
  return Spawned(std::move(forked.child), Gate(gate.write_end.release()),
                 std::move(start.read_end));
}

void GateTraits::close(NativeHandle gate) { HandleTraits::close(gate); }

Result<> Spawned::release() {
  const char go = 1;
  const ssize_t wrote =
      retry_eintr([&] { return sys().write(static_cast<int>(gate_.get()), &go, 1); });
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
