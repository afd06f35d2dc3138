// SPDX-License-Identifier: Apache-2.0
//
// The hostile moments between birth and exec.
//
// A parent that is killed right after the birth leaves a child that nobody has recorded. Were it to
// run the command, an untracked process would live on; so it waits for one byte and takes EOF for
// "nobody knows you: exit". EOF comes only if *no* process holds the writing end, and the child's
// own copy is one of them: it is closed first thing.
//
// A signal may arrive at any point here. Everything is blocked from before the birth until the mask
// is set back just before exec; the dispositions are default or ignored by then. A TERM that waited
// strikes at that moment: the child dies of it and the error pipe closes empty, as if the command
// had started and died at once, which is what the sender meant.
//
// Another thread may have held malloc's lock at the birth. It will never be released in the child,
// so all that the child needs is laid out before.
//
// Where it can, the child shares this process's memory until its exec, as with vfork but without
// stopping the parent, which has the child to write down: to copy the tables of the memory, and
// then each page that one of the two writes to, took 130 us of a `lock x -- true`. So the child
// must leave no trace: it has a stack of its own, makes bare calls (child_calls_linux.h), and reads
// a plan that stays until it is gone. When is that? The kernel drops the memory of a process that
// execs or ends before it closes its descriptors, so the report's end of file says it. Who reports
// a failure is still there, on its stack, and may be stopped there: nobody waits for that, and the
// plan is never freed.
#include "os/spawn/spawn.h"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>

#include "os/path/safe_name.h"
#include "os/process/pid_namespace_linux.h"
#include "os/spawn/child_calls_linux.h"
#include "os/spawn/child_plan_linux.h"
#include "os/spawn/run_child_linux.h"
#include "os/stream/pipe.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

Result<> check(const SpawnRequest& request) {
  for (const std::string& word : request.argv) HF_TRY(check_path_text(word));
  if (request.directory) HF_TRY(check_path_text(*request.directory));
  return check_environment(request.environment);
}

// All signals of this thread, until this goes; a child born meanwhile has its own mask set.
class BirthSignals {
 public:
  static Result<BirthSignals> hold() {
    BirthSignals held;
    sigset_t all;
    sigfillset(&all);
    if (sys().sigprocmask(SIG_SETMASK, &all, &held.before_) != 0)
      return fail(last_os_error("hold back", "signals", "nothing was started"));
    held.holds_ = true;
    return held;
  }
  BirthSignals(BirthSignals&& other) noexcept
      : before_(other.before_), holds_(std::exchange(other.holds_, false)) {}
  BirthSignals& operator=(BirthSignals&&) = delete;
  BirthSignals(const BirthSignals&) = delete;
  BirthSignals& operator=(const BirthSignals&) = delete;
  ~BirthSignals() {
    if (holds_) sys().sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  BirthSignals() = default;
  sigset_t before_{};
  bool holds_ = false;
};

Result<Handle> open_dev_null() {
  constexpr const char* kNothing = "/dev/null";
  Handle handle(
      retry_eintr([] { return sys().openat(AT_FDCWD, kNothing, O_RDONLY | O_CLOEXEC, 0); }));
  if (!handle.valid()) return fail(last_os_error("open", kNothing, "nothing was started"));
  return handle;
}

}  // namespace

// What a child that shares our memory has of it.
struct ChildRoom {
  explicit ChildRoom(const SpawnRequest& request) : plan(request) {}

  ChildPlan plan;
  static constexpr std::size_t kStackBytes = std::size_t{16} << 10U;
  alignas(16) std::array<std::byte, kStackBytes> stack;
};

namespace {

// The kernel is 5.16 or newer. Older ones kill everybody who shares the memory of a process that is
// ended by a signal with a core dump, and a child may be, just before its exec.
bool ends_alone() {
  utsname names{};
  if (sys().uname(&names) != 0) return false;
  char* rest = nullptr;
  const long major = std::strtol(names.release, &rest, 10);
  const long minor = *rest == '.' ? std::strtol(rest + 1, nullptr, 10) : 0;
  return major > 5 || (major == 5 && minor >= 16);
}

// nullopt: not here. A filter or an emulator may know only fork.
Result<std::optional<OwnChild>> bear_sharing(ChildRoom& room) {
  // A report that is one of the standard streams would close before the child is gone.
  const bool report_stays = room.plan.report > STDERR_FILENO;
  if (!can_live_sharing() || !report_stays || !ends_alone()) return std::nullopt;
  const pid_t pid =
      sys().clone_vm(live_sharing, room.stack.data() + ChildRoom::kStackBytes, &room.plan);
  if (pid > 0) return OwnChild{.pid = Pid{pid}, .pidfd = Handle(sys().pidfd_open(pid, 0))};
  if (errno == ENOSYS || errno == EINVAL || errno == EPERM) return std::nullopt;
  return fail(cannot_start());
}

// The init of a namespace of its own, with the command behind its gate below it. A user who is no
// administrator, or one whose rights end at a container, needs a user namespace for it.
Result<OwnChild> bear_in_namespace(const SpawnRequest& request, const ChildPlan& plan) {
  for (bool with_user = sys().geteuid() != 0;; with_user = true) {
    InitPipes pipes = HF_TRY(InitPipes::make());
    auto forked = fork_into_pid_namespace(request.cgroup, with_user);
    if (forked && forked->in_child) pipes.live_as_init(plan, with_user);
    if (forked) {
      HF_TRY(pipes.take_over(forked->child));
      return std::move(forked->child);
    }
    if (with_user) return fail(std::move(forked).error());
  }
}

}  // namespace

Result<Spawned> spawn(const SpawnRequest& request) {
  HF_TRY(check(request));
  auto room = std::make_unique<ChildRoom>(request);
  ChildPlan& plan = room->plan;
  Handle nothing;
  if (request.stdin_from == StdinFrom::kNothing) nothing = HF_TRY(open_dev_null());
  if (nothing.valid()) plan.input = fd_of(nothing);
  if (request.stdin_from == StdinFrom::kHandle) plan.input = static_cast<int>(request.input);
  if (request.stdout_to == StdoutTo::kStderr) plan.output = STDERR_FILENO;
  if (request.stdout_to == StdoutTo::kHandle) plan.output = static_cast<int>(request.output);
  if (request.stderr_to == StderrTo::kHandle) plan.errors = static_cast<int>(request.errors);

  Pipe gate = HF_TRY(make_pipe());
  Pipe start = HF_TRY(make_pipe());
  plan.gate_read = fd_of(gate.read_end);
  plan.gate_write = fd_of(gate.write_end);
  plan.report = fd_of(start.write_end);

  const bool in_cgroup = request.cgroup != HandleTraits::nothing();
  const BirthSignals held = HF_TRY(BirthSignals::hold());
  if (request.own_pid_namespace) {
    OwnChild init = HF_TRY(bear_in_namespace(request, plan));
    return Spawned(std::move(init), Gate(gate.write_end.release()), std::move(start.read_end));
  }
  if (!in_cgroup) {
    if (auto child = HF_TRY(bear_sharing(*room))) {
      return Spawned(std::move(*child), Gate(gate.write_end.release()), std::move(start.read_end),
                     SharedRoom(room.release()));
    }
  }
  Forked forked = HF_TRY(in_cgroup ? fork_into_cgroup(request.cgroup) : fork_process());
  if (forked.in_child) run_child<TableCalls>(plan);
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
  if (got == 0) delete room_.release();
  if (got != static_cast<ssize_t>(sizeof(failure))) return std::optional<StartFailure>();
  return std::optional(failure);
}

}  // namespace holdfast::os
