// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/process_table.h"

#include "os/machine/namespaces.h"
#include "os/process/proc_fs.h"

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

Result<> check_proc() {
  const auto line = HF_TRY(os::read_own_proc_file("stat"));
  const auto facts = line ? parse_stat_line(*line) : std::nullopt;
  if (facts && facts->pid == os::own_pid()) return {};
  return fail({.code = ErrorCode::kCannotTell,
               .op = "see processes in",
               .subject = "/proc",
               .cause = "no-proc",
               .detail = "it is not mounted, or shows another pid namespace"});
}

Result<std::optional<ProcessFacts>> read_process(os::Pid pid) {
  const auto line = HF_TRY(os::read_proc_file(pid, "stat"));
  if (!line) return std::optional<ProcessFacts>();
  auto facts = parse_stat_line(*line);
  if (facts) return facts;
  return fail({.code = ErrorCode::kCannotTell,
               .op = "understand",
               .subject = "/proc/" + std::to_string(os::number(pid)) + "/stat",
               .cause = "odd-stat-line",
               .detail = "it does not read like a line about a process"});
}

Result<ProcessTable> read_process_table() {
  HF_TRY(check_proc());
  ProcessTable table;
  HF_TRY(os::each_process([&](os::Pid pid) {
    auto facts = read_process(pid);
    if (!facts) {
      table.unread.push_back({.pid = pid, .why = std::move(facts).error()});
    } else if (*facts) {
      table.rows.push_back(std::move(**facts));
    }
  }));
  return table;
}

Result<std::uint64_t> own_start_ticks() {
  const auto line = HF_TRY(os::read_own_proc_file("stat"));
  const auto facts = line ? parse_stat_line(*line) : std::nullopt;
  if (facts) return facts->start_ticks;
  return fail({.code = ErrorCode::kCannotTell,
               .op = "understand",
               .subject = "/proc/self/stat",
               .cause = line ? "odd-stat-line" : "no-proc",
               .detail = "it does not read like a line about a process"});
}

Result<std::optional<StatusFacts>> read_status(os::Pid pid) {
  const auto text = HF_TRY(os::read_proc_file(pid, "status"));
  if (!text) return std::optional<StatusFacts>();
  auto facts = parse_status_text(*text);
  if (facts) return facts;
  return fail({.code = ErrorCode::kCannotTell,
               .op = "understand",
               .subject = "/proc/" + std::to_string(os::number(pid)) + "/status",
               .cause = "odd-status",
               .detail = "it does not read like a text about a process"});
}

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
