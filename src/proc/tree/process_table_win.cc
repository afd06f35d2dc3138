// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: A starts P and ends; A's number goes to B; B would be taken for the
// parent of P, and a kill of B's tree would strike P. Windows tells the number of who created a
// process and never changes it. What tells A from B is time: B began after A had ended, and A began
// P while it lived, so B is younger than P. A parent is believed only where it is not younger.
// (Equal times are believed: clocks have a grain, and a number does not come back within it.)
#include "proc/tree/process_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "os/file/metadata.h"
#include "os/process/pidfd.h"
#include "os/process/process_list.h"

namespace holdfast::proc {
namespace {

constexpr os::Pid kSystem{4};
constexpr std::uint32_t kUnknownUser = 0xFFFFFFFF;

ProcessFacts facts_of(const os::ListedProcess& listed, const os::ProcessBirth& birth) {
  return {.pid = listed.pid,
          .parent = listed.parent,
          .state = birth.ended ? 'Z' : 'R',
          .start_ticks = birth.start,
          .name = listed.name,
          .threads = birth.ended ? 1 : std::max(listed.threads, std::uint32_t{1}),
          .kernel_thread = listed.pid == kSystem};
}

bool may_be_parent(const os::ProcessBirth& parent, const ProcessFacts& child) {
  return !parent.ended && parent.start <= child.start_ticks;
}

}  // namespace

Result<> check_proc() { return {}; }

Result<std::optional<ProcessFacts>> read_process(os::Pid pid) {
  const auto birth = HF_TRY(os::process_birth(pid));
  if (!birth) return std::optional<ProcessFacts>();
  // Ended, and gone from the list: only the handles are left.
  os::ListedProcess found{.pid = pid};
  HF_TRY(os::each_listed_process([&](const os::ListedProcess& listed) {
    if (listed.pid == pid) found = listed;
  }));
  ProcessFacts facts = facts_of(found, *birth);
  const auto parent = os::process_birth(facts.parent);
  if (!parent || !*parent || !may_be_parent(**parent, facts)) facts.parent = os::Pid{0};
  return std::optional(std::move(facts));
}

Result<ProcessTable> read_process_table() {
  ProcessTable table;
  std::map<os::Pid, os::ProcessBirth> births;
  HF_TRY(os::each_listed_process([&](const os::ListedProcess& listed) {
    if (os::number(listed.pid) <= 0) return;
    auto birth = os::process_birth(listed.pid);
    if (!birth) {
      table.unread.push_back({.pid = listed.pid, .why = std::move(birth).error()});
    } else if (*birth) {
      births.emplace(listed.pid, **birth);
      table.rows.push_back(facts_of(listed, **birth));
    }
  }));
  for (ProcessFacts& facts : table.rows) {
    const auto parent = births.find(facts.parent);
    if (parent == births.end() || !may_be_parent(parent->second, facts)) {
      facts.parent = os::Pid{0};
    }
  }
  return table;
}

Result<std::uint64_t> own_start_ticks() {
  const auto birth = HF_TRY(os::process_birth(os::own_pid()));
  if (birth) return birth->start;
  return fail({.code = ErrorCode::kCannotTell,
               .op = "find",
               .subject = "this process",
               .cause = "no-proc",
               .detail = "the system does not tell of it"});
}

Result<std::optional<StatusFacts>> read_status(os::Pid pid) {
  const auto process = HF_TRY(os::open_pidfd(pid));
  if (!process) return std::optional<StatusFacts>();
  const auto user = os::process_user(*process);
  // One's own processes can always be asked.
  const std::uint32_t uid = user ? (*user == 0 ? os::own_uid() : *user) : kUnknownUser;
  return std::optional(StatusFacts{.process = pid, .uid = uid});
}

Result<bool> pid_namespace_is_gone(std::uint64_t) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "look for",
               .subject = "a pid namespace",
               .cause = "other-pid-namespace",
               .detail = "there are none here"});
}

}  // namespace holdfast::proc
