// SPDX-License-Identifier: Apache-2.0
//
// A process handle keeps meaning its process, and keeps its number from being given out again, as
// long as it is open. What the handle may be used for is asked for in steps: with the right to end
// the process, and where that is denied without it, so that what may not be ended can still be seen
// to live.
#include "os/process/pidfd.h"

#include "base/cause.h"
#include "os/process/pid.h"
#include "os/signal/signals.h"
#include "os/spawn/child_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr DWORD kSee = SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION;
constexpr DWORD kSeeAndEnd = kSee | PROCESS_TERMINATE;

std::string pidfd_named(Pid pid) { return "process " + std::to_string(number(pid)); }

// A handle of the same process through which it may be ended; nothing: not permitted.
Result<Handle> with_right_to_end(HANDLE process) {
  HANDLE copy = nullptr;
  const HANDLE self = sys().GetCurrentProcess();
  if (sys().DuplicateHandle(self, process, self, &copy, kSeeAndEnd, FALSE, 0) != FALSE) {
    return own(copy);
  }
  if (last_error() == ERROR_ACCESS_DENIED) return Handle();
  return fail(last_os_error("signal", "a process"));
}

}  // namespace

Pid own_pid() { return Pid{static_cast<std::int32_t>(sys().GetCurrentProcessId())}; }

bool pidfds_work() { return true; }

Result<std::optional<Handle>> open_pidfd(Pid pid) {
  // The idle process and numbers that no process has; OpenProcess would round the latter down.
  if (number(pid) <= 0 || number(pid) % 4 != 0) return std::optional<Handle>();
  DWORD code = ERROR_SUCCESS;
  for (const DWORD rights : {kSeeAndEnd, kSee}) {
    const HANDLE process = sys().OpenProcess(rights, FALSE, static_cast<DWORD>(number(pid)));
    if (process != nullptr) return std::optional(own(process));
    code = last_error();
    if (code == ERROR_INVALID_PARAMETER) return std::optional<Handle>();
    if (code != ERROR_ACCESS_DENIED) break;
  }
  return fail(win_error("pin", pidfd_named(pid), code));
}

Result<bool> has_ended(const Handle& pidfd) {
  switch (sys().WaitForSingleObject(handle_of(pidfd), 0)) {
    case WAIT_OBJECT_0:
      return true;
    case WAIT_TIMEOUT:
      return false;
    default:
      return fail(last_os_error("ask whether it has ended", "a process"));
  }
}

Result<Sent> signal_pidfd(const Handle& pidfd, int signal) {
  if (HF_TRY(has_ended(pidfd))) return Sent::kGone;
  if (signal == continue_signal()) return Sent::kSent;  // nothing is stopped here
  const bool ends = signal == kSignalTerm || signal == kSignalKill;
  if (!ends && signal != 0) {
    return fail(not_offered("send signal " + std::to_string(signal) + " to", "a process",
                            "Windows has no signals; a process can only be ended"));
  }
  const Handle right = HF_TRY(with_right_to_end(handle_of(pidfd)));
  if (!right.valid()) return Sent::kNotPermitted;
  if (!ends) return Sent::kSent;
  if (sys().TerminateProcess(handle_of(right), killed_code(signal)) != FALSE) return Sent::kSent;
  const DWORD code = last_error();
  // It is ending already: then the handle tells in a moment, and nothing was denied.
  constexpr DWORD kMoment = 1000;
  if (code == ERROR_ACCESS_DENIED) {
    const bool gone = sys().WaitForSingleObject(handle_of(pidfd), kMoment) == WAIT_OBJECT_0;
    return gone ? Sent::kGone : Sent::kNotPermitted;
  }
  return fail(win_error("end", "a process", code));
}

// A process that has ended keeps its number as long as anybody has a handle of it.
Result<bool> pid_in_use(Pid pid) {
  const auto opened = open_pidfd(pid);
  if (opened) return opened->has_value();
  if (opened.error().cause == cause::kEacces) return true;  // somebody, who may not be asked
  return fail(opened.error());
}

// Not known: pid and creation time tell processes apart here (proc/identity/identity.h).
Result<std::uint64_t> pidfs_inode(const Handle& /*pidfd*/) { return std::uint64_t{0}; }

// Every handle tells the exit code, whoever started the process.
PidfdExit pidfd_exit(const Handle& pidfd) {
  const auto ended = has_ended(pidfd);
  if (!ended) return {.state = PidfdExit::State::kCannotTell};
  if (!*ended) return {.state = PidfdExit::State::kNotYet};
  DWORD code = 0;
  if (sys().GetExitCodeProcess(handle_of(pidfd), &code) == FALSE) {
    return {.state = PidfdExit::State::kCannotTell};
  }
  return {.state = PidfdExit::State::kEnded, .end = end_of_code(Pid{}, code)};
}

// There is no fork here.
std::int64_t process_mark() { return 1; }

}  // namespace holdfast::os
