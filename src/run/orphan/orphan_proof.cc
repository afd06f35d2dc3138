// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/orphan_proof.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "lock/ledger/ledger.h"
#include "os/process/pidfd.h"
#include "os/process/proc_fs.h"
#include "proc/identity/caller.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "proc/tree/run_id_scan.h"
#include "run/lock/name_lock.h"

namespace holdfast::run {
namespace {

constexpr std::size_t kMaxEnvironment = std::size_t{8} << 20U;
constexpr std::string_view kSessionVariable = "HOLDFAST_SESSION=";

std::optional<std::string> session_in(std::string_view environment) {
  while (!environment.empty()) {
    const std::size_t end = std::min(environment.find('\0'), environment.size());
    const std::string_view entry = environment.substr(0, end);
    if (entry.starts_with(kSessionVariable))
      return std::string(entry.substr(kSessionVariable.size()));
    environment.remove_prefix(std::min(end + 1, environment.size()));
  }
  return std::nullopt;
}

// False where it has ended meanwhile, too: then it is in nobody's way.
bool names_another(const proc::RunIdScan::Carrier& carrier, const std::string& name) {
  const auto environment = os::read_whole_proc_file(carrier.facts.pid, "environ", kMaxEnvironment);
  const auto ended = os::has_ended(carrier.pidfd);
  if (!environment || !*environment || !ended || *ended) return false;
  const auto named = session_in(**environment);
  return named && *named != name;
}

Result<bool> command_is_its_own(const SessionRecord& record, bool known) {
  if (known) return true;
  // A group without a command is never written here.
  if (!record.command) return !record.cgroup.has_value();
  const proc::LifeVerdict verdict = proc::judge(proc::from_record(*record.command));
  if (verdict.life != proc::Life::kLive) return true;
  const auto shown = proc::run_id_of(os::Pid{record.command->pid});
  if (verdict.pidfd.valid() && HF_TRY(os::has_ended(verdict.pidfd))) return true;
  return shown && *shown == record.run;
}

bool holds_one_of(const std::vector<os::Pid>& all, const std::vector<os::Pid>& some) {
  return std::ranges::any_of(some,
                             [&](os::Pid pid) { return std::ranges::find(all, pid) != all.end(); });
}

}  // namespace

Result<Proof> prove(const Orphan& orphan, const std::vector<os::Pid>& members) {
  const SessionRecord& record = orphan.record();
  Proof proof;
  std::vector<os::Pid> all = members;
  if (record.command) {
    if (record.command->pid == 1) {
      proof.refuted = "process-1";
      return proof;
    }
    if (proc::judge(proc::from_record(*record.command)).life == proc::Life::kLive)
      all.push_back(os::Pid{record.command->pid});
  }
  const proc::RunIdScan scan = HF_TRY(proc::scan_run_id(record.run));
  for (const proc::RunIdScan::Carrier& carrier : scan.carriers) {
    all.push_back(carrier.facts.pid);
    proof.seen.push_back(std::to_string(os::number(carrier.facts.pid)) + " (" + carrier.facts.name +
                         ")");
    if (proof.refuted.empty() && names_another(carrier, record.name))
      proof.refuted = "other-session";
  }
  std::vector<os::Pid> never = HF_TRY(proc::ancestors());
  never.push_back(os::own_pid());
  if (!proof.refuted.empty()) return proof;
  if (holds_one_of(all, {os::Pid{1}})) {
    proof.refuted = "process-1";
  } else if (holds_one_of(all, never)) {
    proof.refuted = "caller-in-tree";
  } else if (!HF_TRY(command_is_its_own(record, orphan.command_is_known))) {
    proof.refuted = "not-its-command";
  }
  return proof;
}

Result<std::string> doubt_about(lock::LocalBackend& locks, const session::SessionDir& dir,
                                const SessionRecord& record) {
  const auto id =
      lock::LockId{.kind = lock::LockId::Kind::kNamed, .text = name_lock_of(dir.name())};
  std::optional<NewestRecord> held;
  if (const auto ledger = HF_TRY(lock::Ledger::open(HF_TRY(locks.place_of(id))))) {
    held = HF_TRY(ledger->read());
  }
  if (!record.command) {
    const bool live = proc::judge(proc::from_record(record.supervisor)).life == proc::Life::kLive;
    const bool said = held && held->record.keeper == record.supervisor;
    return live && !said ? "not-its-supervisor" : "";
  }
  const bool known = held && held->record.work == *record.command;
  if (!HF_TRY(command_is_its_own(record, known))) return "not-its-command";
  const auto scan = proc::scan_run_id(record.run);
  if (!scan) return "";  // where nobody can be scanned nobody is found and signalled, either
  const bool other = std::ranges::any_of(
      scan->carriers, [&](const auto& carrier) { return names_another(carrier, record.name); });
  return other ? "other-session" : "";
}

}  // namespace holdfast::run
