// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/orphan_outside.h"

#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "proc/tree/run_id_scan.h"

namespace holdfast::run {

Outside look_outside(const SessionRecord& record) {
  if (record.command) {
    const proc::Life command = proc::judge(proc::from_record(*record.command)).life;
    if (command == proc::Life::kLive) return Outside::kSomebody;
    if (command == proc::Life::kUnknown) return Outside::kCannotTell;
  }
  const auto scan = proc::scan_run_id(record.run);
  if (!scan) return Outside::kCannotTell;
  return scan->carriers.empty() ? Outside::kNobody : Outside::kSomebody;
}

Result<proc::KillReport> end_outside(const SessionRecord& record, int signal, Duration grace,
                                     std::optional<Duration> wait, EventSink& events) {
  const proc::Identity command =
      record.command ? proc::from_record(*record.command) : proc::Identity{};
  proc::LifeVerdict verdict{.life = proc::Life::kDead, .evidence = "no-such-process"};
  if (record.command) verdict = proc::judge(command);
  if (verdict.life == proc::Life::kDead && verdict.evidence == "recycled")
    verdict.evidence = "no-such-process";
  proc::KillOrder order{.tree = true, .grace = grace, .wait = wait, .run = record.run};
  order.first_signal = signal;
  return proc::kill_judged(command, std::move(verdict), order, events);
}

void end_strays(const SessionRecord& record, EventSink& events, supervise::TreeReport& report) {
  const bool unheld = report.containment == supervise::Containment::kCgroup ||
                      report.containment == supervise::Containment::kSubreaper ||
                      report.containment == supervise::Containment::kSubreaperByNumber;
  if (!unheld || !report.started || !report.empty || report.left_alone) return;
  if (look_outside(record) == Outside::kNobody) return;
  if (!record.order.wait_descendants || report.ended_by != supervise::EndedBy::kNobody) {
    AnnouncedForce announced(events);
    const auto killed =
        end_outside(record, record.order.kill_signal, record.order.grace, std::nullopt, announced);
    if (killed) report.killed += killed->ended;
    if (look_outside(record) == Outside::kNobody) return;
  }
  report.empty = false;
  const auto left = proc::scan_run_id(record.run);
  if (!left) return;
  for (const proc::RunIdScan::Carrier& one : left->carriers)
    report.survivors.push_back({.pid = one.facts.pid, .name = one.facts.name});
  report.survivors_total = static_cast<std::uint32_t>(report.survivors.size());
}

}  // namespace holdfast::run
