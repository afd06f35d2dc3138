// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_facts.h"

#include <algorithm>

#include "base/printable.h"
#include "cli/frame/shell_line.h"
#include "cli/lock/lock_view.h"
#include "format/json/json.h"
#include "format/json/json_values.h"
#include "format/text/rfc3339.h"
#include "lock/grant/slots.h"
#include "lock/ledger/status.h"
#include "proc/identity/identity.h"
#include "session/record/layout.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

using session::SessionView;
using session::Tree;

// A number means this process only in the pid namespace in which it was read.
std::optional<std::int32_t> number_here(const std::optional<ProcessIdentity>& identity,
                                        const Result<proc::Identity>& own) {
  if (!identity || !own || own->pidns != identity->pidns) return std::nullopt;
  return identity->pid;
}

std::optional<Duration> left_of(const SessionView& view, const Result<proc::Identity>& own,
                                const Clock& clock) {
  const SessionRecord& record = view.record;
  if (!record.deadline_boot_ns || is_final(view.state) || !own) return std::nullopt;
  if (own->boot != record.supervisor.boot || own->timens != record.supervisor.timens) {
    return std::nullopt;  // it counts on another clock
  }
  return BootTime(Duration(*record.deadline_boot_ns)) - clock.boot();
}

std::string_view tree_word(Tree tree) {
  switch (tree) {
    case Tree::kEmpty:
      return "empty";
    case Tree::kLives:
      return "lives";
    case Tree::kUnproven:
      break;
  }
  return "unproven";
}

}  // namespace

SessionFacts facts_of(SessionView view, const os::Dir& dir, const Clock& clock) {
  SessionFacts facts;
  const auto own = proc::own_identity();
  const SessionRecord& record = view.record;
  facts.pid = number_here(record.command, own);
  facts.supervisor = number_here(record.supervisor, own);
  facts.deadline_left = left_of(view, own, clock);
  if (record.started) {
    const bool runs = !is_final(view.state);
    const auto until = runs ? std::optional(clock.wall()) : record.ended;
    if (until) facts.elapsed = std::max(*until - *record.started, Duration::zero());
  }
  facts.last_output = record.last_output;
  if (record.order.log) {
    facts.log = dir.path_of(session::log_name());
    // The record is not written for each line; the log itself is.
    const auto info = dir.info(session::log_name());
    if (info && *info && (*info)->size > 0 && !is_final(view.state)) {
      facts.last_output = std::max(facts.last_output.value_or(WallTime{}), (*info)->modified);
    }
  }
  facts.view = std::move(view);
  return facts;
}

// One lock after the other is taken, so it waits for one at most.
void see_what_it_waits_for(SessionFacts& facts, runtime::Runtime& runtime) {
  const SessionRecord& record = facts.view.record;
  if (facts.view.state != SessionState::kReserved || !facts.view.known) return;
  if (record.order.locks.empty()) return;
  const auto locks = runtime.find_locks(lock::AnyFileSystem::kAllow);
  if (!locks || *locks == nullptr) return;
  for (const std::string& name : record.order.locks) {
    // Who waits for a slot waits for each of them.
    const auto slots = lock::parse_any_slot(name);
    const std::string first =
        slots ? to_text(lock::SlotName{.name = slots->name, .number = 1, .count = slots->count})
              : name;
    const auto place = (*locks)->place_of(lock::lock_called(first));
    if (!place) continue;
    const auto status = lock::look_at_lock(*place, runtime.clock());
    if (!status) continue;
    const auto ours = std::ranges::find_if(status->waiters, [&](const lock::WaiterView& one) {
      return one.process == record.supervisor;
    });
    if (ours == status->waiters.end()) continue;
    facts.waits = SessionWaits{.lock = slots ? slots->name : name, .since = ours->since};
    if (!status->holders.empty()) facts.waits->holder = status->holders.front();
    return;
  }
}

std::string_view shown_state(const SessionFacts& facts) {
  return facts.waits ? kWaitingState : to_text(facts.view.state);
}

namespace {

Json waits_json(const std::optional<SessionWaits>& waits) {
  if (!waits) return nullptr;
  return {{"lock", waits->lock},
          {"since", format_rfc3339(waits->since)},
          {"holder", waits->holder ? holder_json(*waits->holder) : Json(nullptr)}};
}

}  // namespace

Json session_json(const SessionFacts& facts) {
  const SessionView& view = facts.view;
  const SessionRecord& record = view.record;
  const SessionOrder& order = record.order;
  Json json;
  json["name"] = record.name;
  json["state"] = shown_state(facts);
  json["exit_code"] = or_null(record.exit_code);
  json["signal"] = or_null(record.signal);
  json["pid"] = or_null(facts.pid);
  json["started"] = time_or_null(record.started);
  json["ended"] = time_or_null(record.ended);
  json["log"] = or_null(facts.log);
  json["verified"] = or_null(record.verified);
  json["containment"] = or_null(record.containment);
  json["known"] = view.known;
  json["evidence"] = view.evidence;
  json["tree"] = view.state == SessionState::kOrphaned ? Json(tree_word(view.tree)) : Json(nullptr);
  json["reason"] = or_null(record.reason);
  json["detail"] = or_null(record.detail);
  json["run"] = to_hex(record.run);
  json["number"] = record.number;
  json["supervisor"] = or_null(facts.supervisor);
  json["supervisor_pid"] = or_null(facts.supervisor);
  json["host"] = or_null(record.host);
  json["created"] = format_rfc3339(record.created);
  json["elapsed_ms"] = ms_or_null(facts.elapsed);
  json["deadline_left_ms"] = ms_or_null(facts.deadline_left);
  json["timeout_ms"] = ms_or_null(order.timeout);
  json["idle_timeout_ms"] = ms_or_null(order.idle_timeout);
  json["last_output"] = time_or_null(facts.last_output);
  json["log_bytes"] = record.log_bytes;
  json["log_lost"] = record.log_lost;
  json["command"] = order.command;
  json["directory"] = order.directory;
  json["locks"] = order.locks;
  json["owner"] = order.owner ? Json(order.owner->pid) : Json(nullptr);
  json["limits"] = record.limits_by;
  json["cgroup"] = record.cgroup ? Json(record.cgroup->path) : Json(nullptr);
  json["survivors"] = record.survivors;
  json["adopted"] = record.adopted;
  json["waits_for"] = waits_json(facts.waits);
  json["asked_by"] = record.asked ? Json(record.asked->by) : Json(nullptr);
  return json;
}

std::string command_text(const SessionRecord& record) {
  return printable(shell_command(record.order.command));
}

void warn_of_lost_log(Context& context, const SessionRecord& record) {
  const std::string text = session::lost_log_text(record);
  if (!text.empty()) context.warn(text);
}

Context::Paint paint_of(const SessionView& view) {
  using enum SessionState;
  if (!view.known) return Context::Paint::kRed;
  switch (view.state) {
    case kReserved:
    case kStarting:
    case kRunning:
    case kVerifying:
      return Context::Paint::kGreen;
    case kStopping:
    case kOrphaned:
    case kUnverified:
      return Context::Paint::kYellow;
    case kExited:
      return view.record.exit_code == 0 ? Context::Paint::kDim : Context::Paint::kRed;
    case kFailed:
    case kTimedOut:
    case kKilled:
    case kLost:
      break;
  }
  return Context::Paint::kRed;
}

}  // namespace holdfast::cli
