// SPDX-License-Identifier: Apache-2.0
#include "os/process/proc_fs.h"
#include "proc/tree/process_table.h"

namespace holdfast::proc {

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

}  // namespace holdfast::proc
