// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: process 42 carries the id; we read that; it ends; its number goes to a
// stranger; we pin and signal the stranger. So: pin, read, see that the pinned one has not ended.
#include "proc/tree/run_id_scan.h"

#include "os/process/pidfd.h"
#include "os/process/proc_fs.h"
#include "proc/identity/identity.h"
#include "proc/tree/process_table.h"

namespace holdfast::proc {
namespace {

// The kernel allows an environment of about 6 MiB.
constexpr std::size_t kMaxEnvironment = std::size_t{8} << 20U;

enum class Carries : std::uint8_t { kYes, kNo, kCannotRead };

template <typename Wanted>
Carries carries(os::Pid pid, const Wanted& is_wanted) {
  const auto environment = environment_of(pid);
  if (!environment) return Carries::kCannotRead;
  return *environment && is_wanted(**environment) ? Carries::kYes : Carries::kNo;
}

template <typename Wanted>
void look_at(os::Pid pid, const Wanted& is_wanted, RunIdScan& scan) {
  auto pinned = pin_number(pid);
  if (pinned && pinned->nobody) return;
  if (!pinned || !pinned->pidfd.valid()) {
    ++scan.unread;
    return;
  }
  const Carries answer = carries(pid, is_wanted);
  const auto facts = answer == Carries::kYes ? read_process(pid) : std::nullopt;
  const auto ended = os::has_ended(pinned->pidfd);
  if (ended && *ended) return;
  if (answer == Carries::kNo) return;
  if (answer == Carries::kCannotRead || !ended || !facts || !*facts) {
    ++scan.unread;
    return;
  }
  scan.carriers.push_back({.facts = **facts, .pidfd = std::move(pinned->pidfd)});
}

template <typename Wanted>
Result<RunIdScan> scan_for(const Wanted& is_wanted) {
  HF_TRY(check_proc());
  std::vector<os::Pid> listed;
  HF_TRY(os::each_process([&](os::Pid pid) { listed.push_back(pid); }));
  RunIdScan scan;
  for (const os::Pid pid : listed) look_at(pid, is_wanted, scan);
  return scan;
}

}  // namespace

std::optional<std::string_view> variable_in(std::string_view environment, std::string_view name) {
  while (!environment.empty()) {
    const std::size_t end = std::min(environment.find('\0'), environment.size());
    std::string_view entry = environment.substr(0, end);
    environment.remove_prefix(std::min(end + 1, environment.size()));
    if (!entry.starts_with(name)) continue;
    entry.remove_prefix(name.size());
    if (entry.starts_with('=')) return entry.substr(1);
  }
  return std::nullopt;
}

std::optional<Id128> run_id_in(std::string_view environment) {
  const auto value = variable_in(environment, kRunVariable);
  return value ? parse_id128(*value) : std::nullopt;
}

Result<std::optional<std::string>> environment_of(os::Pid pid) {
  return os::read_whole_proc_file(pid, "environ", kMaxEnvironment);
}

Result<std::optional<Id128>> run_id_of(os::Pid pid) {
  const auto environment = HF_TRY(environment_of(pid));
  if (!environment) return std::optional<Id128>();
  return run_id_in(*environment);
}

Result<RunIdScan> scan_run_id(const Id128& run) {
  return scan_for([&](std::string_view environment) { return run_id_in(environment) == run; });
}

Result<RunIdScan> scan_variable(std::string_view name, std::string_view value) {
  return scan_for(
      [&](std::string_view environment) { return variable_in(environment, name) == value; });
}

}  // namespace holdfast::proc
