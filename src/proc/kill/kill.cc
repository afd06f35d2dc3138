// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the identity says 4711; that process ends; 4711 is a stranger's now;
// `kill 4711` hits the stranger. judge() pins the number first and compares the pinned process with
// the identity, so from there on the pin is the process that is meant or nobody, however long the
// journal takes to get the decision onto the disk in between.
//
// What must be known before the decision is asked before it: that pidfds work (a filter may let
// them be opened and deny the signal), that it is none of those that are never signalled, and, with
// the null signal, that the kernel permits it. So the record never announces a kill that could not
// be tried.
#include "proc/kill/kill.h"

#include <algorithm>

#include "os/process/pidfd.h"
#include "os/signal/signals.h"
#include "os/watch/poll.h"
#include "proc/identity/caller.h"
#include "proc/kill/kill_tree.h"
#include "proc/tree/process_table.h"
#include "proc/tree/run_id_scan.h"

namespace holdfast::proc {
namespace {

KillReport report_of(KillOutcome outcome, std::string evidence, std::string name = {}) {
  return {.outcome = outcome, .evidence = std::move(evidence), .name = std::move(name)};
}

Result<bool> ended_within(const os::Handle& pidfd, Duration limit) {
  return os::wait_readable({&pidfd}, std::chrono::ceil<std::chrono::milliseconds>(limit));
}

// One process, judged live and pinned.
class OneKill {
 public:
  OneKill(const Identity& identity, const os::Handle& pidfd, const KillOrder& order)
      : identity_(identity), pidfd_(pidfd), order_(order) {}

  Result<> act(KillReport& report) {
    if (order_.signal) return send_one(*order_.signal, report);
    if (!HF_TRY(send(order_.first_signal, report))) return {};
    HF_TRY(os::signal_pidfd(pidfd_, os::continue_signal()));
    if (HF_TRY(ended_within(pidfd_, order_.grace))) return say_ended(report);
    // It may have become another user's meanwhile.
    const auto sent = HF_TRY(os::signal_pidfd(pidfd_, os::kSignalKill));
    const char* why = sent == os::Sent::kNotPermitted ? "not permitted" : "";
    const Duration patience = *why == '\0' ? order_.wait.value_or(kKillPatience) : Duration::zero();
    if (HF_TRY(ended_within(pidfd_, patience))) return say_ended(report);
    return say_survives(report, why);
  }

 private:
  Result<> send_one(int signal, KillReport& report) {
    if (!HF_TRY(send(signal, report))) return {};
    const bool is_kill = signal == os::kSignalKill;
    report.outcome = KillOutcome::kSignalled;
    report.evidence = "sent";
    if (!order_.wait && !is_kill) return {};
    if (HF_TRY(ended_within(pidfd_, order_.wait.value_or(kKillPatience)))) return say_ended(report);
    return say_survives(report, "");
  }

  // False: it was not sent, and `report` says why.
  Result<bool> send(int signal, KillReport& report) {
    const os::Sent sent = HF_TRY(os::signal_pidfd(pidfd_, signal));
    if (sent == os::Sent::kSent) {
      report.acted = true;
      return true;
    }
    const bool gone = sent == os::Sent::kGone;
    report.outcome = gone ? KillOutcome::kGone : KillOutcome::kNotPermitted;
    report.evidence = gone ? "pidfd-ended" : "not-permitted";
    return false;
  }

  static Result<> say_ended(KillReport& report) {
    report.outcome = KillOutcome::kKilled;
    report.evidence = "pidfd-ended";
    report.ended = 1;
    return {};
  }
  Result<> say_survives(KillReport& report, const char* why) {
    report.outcome = KillOutcome::kSurvivors;
    report.evidence = "not-ended";
    report.survivors = {
        Survivor{.pid = os::number(identity_.pid), .name = report.name, .why = why}};
    return {};
  }

  const Identity& identity_;
  const os::Handle& pidfd_;
  const KillOrder& order_;
};

// Why this process, which is pinned and lives, is never signalled; empty: it may be.
Result<std::string> never_signalled(const Identity& identity,
                                    const std::optional<ProcessFacts>& facts,
                                    const std::vector<os::Pid>& above) {
  if (identity.pid == os::Pid{1}) return "process-1";
  if (identity.pid == os::own_pid()) return "caller";
  if (facts && facts->kernel_thread) return "kernel-thread";
  if (std::ranges::find(above, identity.pid) != above.end()) return "ancestor";
  return "";
}

// The run id of an identity is somebody's word. A process that shows another one contradicts it.
bool shows_other_run(const Identity& identity, const KillOrder& order) {
  if (!order.tree || !order.run) return false;
  const auto shown = run_id_of(identity.pid);
  return shown && *shown && **shown != *order.run;
}

Result<KillReport> kill_live(const Identity& identity, os::Handle pidfd, const KillOrder& order,
                             EventSink& sink) {
  const auto seen = read_process(identity.pid);
  const std::optional<ProcessFacts> facts = seen ? *seen : std::nullopt;
  const std::vector<os::Pid> above = HF_TRY(ancestors());
  const bool other_run = shows_other_run(identity, order);
  // What was read under the number was about the pinned process only if that has not ended.
  if (HF_TRY(os::has_ended(pidfd))) return report_of(KillOutcome::kGone, "pidfd-ended");
  std::string name = facts ? facts->name : std::string();
  std::string never = HF_TRY(never_signalled(identity, facts, above));
  if (!never.empty()) return report_of(KillOutcome::kRefused, std::move(never), std::move(name));
  if (other_run) return report_of(KillOutcome::kMismatch, "other-run", std::move(name));
  const os::Sent permitted = HF_TRY(os::signal_pidfd(pidfd, 0));
  if (permitted == os::Sent::kGone) return report_of(KillOutcome::kGone, "pidfd-ended");
  if (permitted == os::Sent::kNotPermitted) {
    return report_of(KillOutcome::kNotPermitted, "not-permitted", std::move(name));
  }

  KillReport report = report_of(KillOutcome::kUnproven, "running", std::move(name));
  if (order.tree) {
    return kill_tree({.leader = identity, .pidfd = std::move(pidfd)}, order, above,
                     std::move(report), sink);
  }
  HF_TRY(record_decision(identity, order, report, sink));
  const auto acted = OneKill(identity, pidfd, order).act(report);
  if (!acted) {
    report.outcome = KillOutcome::kUnproven;
    report.evidence = acted.error().cause;
  }
  return report;
}

// The process itself has ended. What it has started may live.
Result<KillReport> kill_without_leader(const Identity& identity, const LifeVerdict& verdict,
                                       const KillOrder& order, EventSink& sink) {
  if (verdict.evidence == "recycled") return report_of(KillOutcome::kMismatch, verdict.evidence);
  if (!order.tree || verdict.evidence == "other-boot") {
    return report_of(KillOutcome::kGone, verdict.evidence);
  }
  if (!os::pidfds_work()) return report_of(KillOutcome::kUnproven, "no-pidfd");
  return kill_tree({.leader = identity, .pidfd = {}}, order, HF_TRY(ancestors()),
                   report_of(KillOutcome::kUnproven, "leader-gone"), sink);
}

Result<KillReport> kill_by_verdict(const Identity& identity, LifeVerdict verdict,
                                   const KillOrder& order, EventSink& sink) {
  switch (verdict.life) {
    case Life::kDead:
      return kill_without_leader(identity, verdict, order, sink);
    case Life::kUnknown:
      return report_of(KillOutcome::kUnproven, std::move(verdict.evidence));
    case Life::kLive:
      break;
  }
  if (!verdict.pidfd.valid() || !os::pidfds_work()) {
    return report_of(KillOutcome::kUnproven, "no-pidfd");
  }
  return kill_live(identity, std::move(verdict.pidfd), order, sink);
}

}  // namespace

std::string_view to_text(KillOutcome outcome) {
  switch (outcome) {
    case KillOutcome::kKilled:
      return "killed";
    case KillOutcome::kSignalled:
      return "signalled";
    case KillOutcome::kGone:
      return "gone";
    case KillOutcome::kMismatch:
      return "mismatch";
    case KillOutcome::kRefused:
      return "refused";
    case KillOutcome::kNotPermitted:
      return "not_permitted";
    case KillOutcome::kSurvivors:
      return "survivors";
    case KillOutcome::kUnproven:
      return "unproven";
  }
  return "unproven";
}

Result<KillReport> kill_judged(const Identity& identity, LifeVerdict verdict,
                               const KillOrder& order, EventSink& sink) {
  KillReport report = HF_TRY(kill_by_verdict(identity, std::move(verdict), order, sink));
  record_outcome(identity, order, report, sink);
  return report;
}

Result<KillReport> kill_process(const Identity& identity, const KillOrder& order, EventSink& sink) {
  return kill_judged(identity, judge(identity), order, sink);
}

}  // namespace holdfast::proc
