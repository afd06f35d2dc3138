// SPDX-License-Identifier: Apache-2.0
#include "proc/kill/kill.h"

#include "os/signal/signals.h"

namespace holdfast::proc {
namespace {

EventData identity_data(const Identity& identity, const KillOrder& order) {
  EventData data;
  data.text("boot", to_hex(identity.boot))
      .text("machine", to_hex(identity.machine))
      .count("pidns", identity.pidns)
      .count("timens", identity.timens)
      .number("pid", os::number(identity.pid))
      .count("start", identity.start)
      .count("pidfs", identity.pidfs)
      .number("uid", identity.uid);
  if (order.run) data.text("run", to_hex(*order.run));
  return data;
}

EventData common_data(const Identity& identity, const KillOrder& order, std::string_view name) {
  EventData data;
  data.number("pid", os::number(identity.pid)).object("identity", identity_data(identity, order));
  if (!name.empty()) data.text("name", name);
  return data;
}

// nullptr: it needs no event behind its decision.
const char* type_of(const KillReport& report) {
  switch (report.outcome) {
    case KillOutcome::kKilled:
    case KillOutcome::kSignalled:
      return nullptr;
    case KillOutcome::kSurvivors:
      return "process.survivors";
    case KillOutcome::kGone:
    case KillOutcome::kMismatch:
    case KillOutcome::kRefused:
    case KillOutcome::kNotPermitted:
    case KillOutcome::kUnproven:
      return report.acted ? "process.unproven" : "process.kill_refused";
  }
  return nullptr;
}

}  // namespace

Result<> record_decision(const Identity& identity, const KillOrder& order, const KillReport& report,
                         EventSink& sink) {
  EventData data = common_data(identity, order, report.name);
  data.number("signal", order.signal.value_or(order.first_signal))
      .text("reason", order.tree ? "kill --tree" : "kill")
      .text("evidence", report.evidence);
  auto recorded = sink.record({.type = "process.killed", .data = std::move(data)});
  if (recorded) return {};
  // Why the journal cannot take it, rights included, says nothing about the process.
  Error error = std::move(recorded).error();
  error.code = ErrorCode::kCannotTell;
  error.detail += "; the decision is not on record, so nothing was signalled";
  return fail(std::move(error));
}

void record_outcome(const Identity& identity, const KillOrder& order, KillReport& report,
                    EventSink& sink) {
  const char* type = type_of(report);
  if (type == nullptr) return;
  EventData data = common_data(identity, order, report.name);
  data.text("outcome", to_text(report.outcome)).text("evidence", report.evidence);
  if (!report.survivors.empty()) {
    std::vector<std::string> names;
    for (const Survivor& survivor : report.survivors) {
      names.push_back(std::to_string(survivor.pid) + " (" + survivor.name + ")");
    }
    data.texts("survivors", names);
  }
  auto recorded = sink.record({.type = type, .data = std::move(data)});
  if (!recorded) report.unrecorded = std::move(recorded).error();
}

}  // namespace holdfast::proc
