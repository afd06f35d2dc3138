// SPDX-License-Identifier: Apache-2.0
//
// Nothing is adopted here: what a child leaves behind belongs to nobody, and it is the job object
// around a tree (job.h) that counts and ends it. reap_any is about the children that spawn() has
// made in this very thread, and "no children" about them alone: a shim is a thread here, and those
// that other threads of the process have started are none of its business.
#include "os/spawn/child_win.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <thread>

#include "os/signal/signals.h"
#include "os/spawn/child.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

struct Child {
  Handle process;
  std::thread::id parent;
};

struct Children {
  std::mutex mutex;
  std::map<Pid, Child> living;  // or ended, and not yet reaped
};

Children& children() {
  static auto* const all = new Children;
  return *all;
}

Error child_unsupported(const char* op, const char* detail) {
  return {.code = ErrorCode::kRefused,
          .op = op,
          .subject = "this process",
          .cause = "unsupported",
          .detail = detail};
}

Result<bool> has_gone(const Handle& process, DWORD limit = 0) {
  const DWORD answer = sys().WaitForSingleObject(handle_of(process), limit);
  if (answer == WAIT_OBJECT_0 || answer == WAIT_TIMEOUT) return answer == WAIT_OBJECT_0;
  return fail(last_os_error("wait for", "a child"));
}

Result<ChildEnd> child_end_of(Pid pid, const Handle& process) {
  DWORD code = 0;
  if (sys().GetExitCodeProcess(handle_of(process), &code) == FALSE) {
    return fail(last_os_error("learn how", "a child ended"));
  }
  return end_of_code(pid, code);
}

Error no_such_child(Pid pid) {
  return {.code = ErrorCode::kOsRefused,
          .op = "reap",
          .subject = "process " + std::to_string(number(pid)),
          .cause = "echild",
          .detail = "it is no child of this process"};
}

// nullopt: no child.
Result<std::optional<Handle>> copy_of(Pid pid) {
  Children& all = children();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.living.find(pid);
  if (found == all.living.end()) return std::optional<Handle>();
  const HANDLE self = sys().GetCurrentProcess();
  HANDLE copy = nullptr;
  if (sys().DuplicateHandle(self, handle_of(found->second.process), self, &copy, 0, FALSE,
                            DUPLICATE_SAME_ACCESS) == FALSE) {
    return fail(last_os_error("copy", "the handle of a child"));
  }
  return std::optional<Handle>(own(copy));
}

void forget(Pid pid) {
  Children& all = children();
  const std::scoped_lock lock(all.mutex);
  all.living.erase(pid);
}

struct Fault {
  DWORD code;
  int signal;
};

constexpr int kEndCodeInt = 2;
constexpr int kIll = 4;
constexpr int kAbrt = 6;
constexpr int kFpe = 8;
constexpr int kSegv = 11;

constexpr std::array kFaults{
    Fault{0xC000013AU, kEndCodeInt},  // STATUS_CONTROL_C_EXIT
    Fault{0xC0000005U, kSegv},        // STATUS_ACCESS_VIOLATION
    Fault{0xC0000006U, kSegv},        // STATUS_IN_PAGE_ERROR
    Fault{0xC00000FDU, kSegv},        // STATUS_STACK_OVERFLOW
    Fault{0xC000001DU, kIll},         // STATUS_ILLEGAL_INSTRUCTION
    Fault{0xC0000096U, kIll},         // STATUS_PRIVILEGED_INSTRUCTION
    Fault{0xC0000094U, kFpe},         // STATUS_INTEGER_DIVIDE_BY_ZERO
    Fault{0xC000008EU, kFpe},         // STATUS_FLOAT_DIVIDE_BY_ZERO
    Fault{0xC0000374U, kAbrt},        // STATUS_HEAP_CORRUPTION
    Fault{0xC0000409U, kAbrt},        // STATUS_STACK_BUFFER_OVERRUN, and every fail-fast
};

}  // namespace

Result<> note_child(Pid pid, const Handle& process) {
  const HANDLE self = sys().GetCurrentProcess();
  HANDLE copy = nullptr;
  if (sys().DuplicateHandle(self, handle_of(process), self, &copy, 0, FALSE,
                            DUPLICATE_SAME_ACCESS) == FALSE) {
    return fail(last_os_error("copy", "the handle of a child"));
  }
  Children& all = children();
  const std::scoped_lock lock(all.mutex);
  all.living.insert_or_assign(pid,
                              Child{.process = own(copy), .parent = std::this_thread::get_id()});
  return {};
}

// A group is asked by Ctrl-Break, which reaches those of it that share our console. Other signals
// have no meaning here.
Result<Sent> signal_group_or_kill(const Handle& process, Pid pid, int signal) {
  if (HF_TRY(has_gone(process))) return Sent::kGone;
  if (signal == kSignalKill) {
    if (sys().TerminateProcess(handle_of(process), killed_code(signal)) != FALSE) {
      return Sent::kSent;
    }
    const DWORD code = last_error();
    if (HF_TRY(has_gone(process))) return Sent::kGone;
    if (code == ERROR_ACCESS_DENIED) return Sent::kNotPermitted;
    return fail(win_error("end", "process " + std::to_string(number(pid)), code));
  }
  if (signal == continue_signal()) return Sent::kSent;  // nobody is ever stopped
  if (!asks_to_end(signal)) return Sent::kNotPermitted;
  const bool sent =
      sys().GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, static_cast<DWORD>(number(pid))) != FALSE;
  return sent ? Sent::kSent : Sent::kNotPermitted;
}

Result<> become_subreaper() { return {}; }

Result<Reaped> reap_any() {
  Children& all = children();
  const std::scoped_lock lock(all.mutex);
  bool any = false;
  for (auto at = all.living.begin(); at != all.living.end(); ++at) {
    if (at->second.parent != std::this_thread::get_id()) continue;
    any = true;
    if (!HF_TRY(has_gone(at->second.process))) continue;
    const ChildEnd end = HF_TRY(child_end_of(at->first, at->second.process));
    all.living.erase(at);
    return Reaped(end);
  }
  if (!any) return Reaped(NoChildren{});
  return Reaped(NoneEnded{});
}

Result<std::optional<ChildEnd>> reap_if_ended(Pid pid) {
  const auto process = HF_TRY(copy_of(pid));
  if (!process) return fail(no_such_child(pid));
  if (!HF_TRY(has_gone(*process))) return std::optional<ChildEnd>();
  const ChildEnd end = HF_TRY(child_end_of(pid, *process));
  forget(pid);
  return std::optional(end);
}

Result<ChildEnd> reap_child(Pid pid) {
  const auto process = HF_TRY(copy_of(pid));
  if (!process) return fail(no_such_child(pid));
  HF_TRY(has_gone(*process, INFINITE));
  const ChildEnd end = HF_TRY(child_end_of(pid, *process));
  forget(pid);
  return end;
}

Result<bool> take_stop(Pid /*pid*/) { return false; }

Result<Sent> signal_own_child(Pid pid, int signal) {
  const auto process = HF_TRY(copy_of(pid));
  if (!process) return Sent::kGone;
  return signal_group_or_kill(*process, pid, signal);
}

Result<> signal_own_children(int signal) {
  Children& all = children();
  const std::scoped_lock lock(all.mutex);
  for (const auto& [pid, child] : all.living) {
    if (child.parent != std::this_thread::get_id()) continue;
    const auto sent = signal_group_or_kill(child.process, pid, signal);
    static_cast<void>(sent);  // who is gone or not permitted does not keep the others from it
  }
  return {};
}

Result<Sent> OwnChild::signal(int signal) const {
  if (pidfd.valid()) return signal_group_or_kill(pidfd, pid, signal);
  return signal_own_child(pid, signal);
}

Result<Sent> OwnChild::signal_namespace(int number) const { return signal(number); }

Result<Forked> fork_process() {
  return fail(child_unsupported("copy", "a process cannot be copied on Windows"));
}

Result<Forked> fork_into_cgroup(NativeHandle /*group*/) { return fork_process(); }

void exit_process(int code) {
  sys().TerminateProcess(sys().GetCurrentProcess(), static_cast<UINT>(code));
  for (;;) sys().Sleep(INFINITE);
}

// A console is shared or not from the start of a process on: there is nothing to leave.
Result<> leave_session() { return {}; }
bool leads_session() { return true; }

ChildEnd end_of_code(Pid pid, DWORD code) {
  using How = ChildEnd::How;
  constexpr DWORD kMostCode = 255;
  if ((code & ~0x7FU) == kKilledBase) {
    return {.pid = pid, .how = How::kSignalled, .value = static_cast<int>(code & 0x7FU)};
  }
  const auto* fault = std::ranges::find(kFaults, code, &Fault::code);
  if (fault != kFaults.end()) return {.pid = pid, .how = How::kSignalled, .value = fault->signal};
  return {.pid = pid, .how = How::kExited, .value = static_cast<int>(std::min(code, kMostCode))};
}

}  // namespace holdfast::os
