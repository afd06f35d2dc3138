// SPDX-License-Identifier: Apache-2.0
#include "os/machine/namespaces.h"
#include "os/process/proc_fs.h"
#include "proc/identity/pid_namespace.h"
#include "proc/tree/process_table.h"

namespace holdfast::proc {
namespace {

enum class Member : std::uint8_t { kYes, kNo, kCannotTell };

Error cannot_see_namespace(std::string detail) {
  return {.code = ErrorCode::kCannotTell,
          .op = "look for a pid namespace in",
          .subject = "/proc",
          .cause = "other-pid-namespace",
          .detail = std::move(detail)};
}

Member look_for_member(os::Pid pid, std::uint64_t pidns) {
  const auto status = read_status(pid);
  if (!status) return Member::kCannotTell;
  if (!*status || (*status)->pid_levels == 1) return Member::kNo;
  const auto found = os::pid_namespace_of(pid);
  if (!found) return Member::kCannotTell;
  if (!*found || **found != pidns) return Member::kNo;
  // A zombie may wait for its parent for ever; while the first process lives, that one is listed.
  const auto facts = read_process(pid);
  if (!facts) return Member::kYes;
  const bool has_ended = !*facts || ((*facts)->is_zombie() && (*facts)->threads == 1);
  return has_ended ? Member::kNo : Member::kYes;
}

// Where hidepid hides anybody from the caller, it hides process 1, which holds every right.
Result<bool> shows_everybody() {
  const auto first = read_status(os::Pid{1});
  return first && *first;
}

}  // namespace

Result<bool> pid_namespace_is_gone(std::uint64_t pidns) {
  if (pidns == 0 || HF_TRY(os::own_namespaces()).pid != os::kInitialPidNamespace) {
    return fail(cannot_see_namespace("not all processes of the machine are seen from here"));
  }
  HF_TRY(check_proc());
  if (!HF_TRY(shows_everybody())) return fail(cannot_see_namespace("/proc hides processes"));
  bool found = false;
  bool unread = false;
  HF_TRY(os::each_process([&](os::Pid pid) {
    const Member member = look_for_member(pid, pidns);
    found = found || member == Member::kYes;
    unread = unread || member == Member::kCannotTell;
  }));
  if (!found && unread) return fail(cannot_see_namespace("a process may not be looked at"));
  return !found;
}

}  // namespace holdfast::proc
