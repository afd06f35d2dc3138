// SPDX-License-Identifier: Apache-2.0
#include "proc/process_table.h"

#include <map>

#include "os/proc_fs.h"

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

std::vector<ProcessFacts> descendants_of(os::Pid root, const std::vector<ProcessFacts>& table) {
  std::multimap<os::Pid, const ProcessFacts*> children;
  for (const ProcessFacts& facts : table) children.emplace(facts.parent, &facts);
  std::vector<ProcessFacts> found;
  // Each row has one parent and is taken out when visited, so a table that contradicts itself
  // (numbers recycled while it was read) cannot lead in a circle.
  const auto take = [&](os::Pid parent) {
    const auto [first, last] = children.equal_range(parent);
    for (auto it = first; it != last; ++it) found.push_back(*it->second);
    children.erase(first, last);
  };
  take(root);
  for (std::size_t next = 0; next < found.size(); ++next) take(found[next].pid);
  return found;
}

}  // namespace holdfast::proc
