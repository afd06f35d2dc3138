// SPDX-License-Identifier: Apache-2.0
#include "cli/session/if_busy.h"

#include <algorithm>
#include <array>

#include "base/budget.h"
#include "base/cause.h"
#include "base/units.h"
#include "cli/frame/command_line.h"
#include "cli/session/stop_answer.h"
#include "format/text/rfc3339.h"
#include "loop/series/stop_series.h"
#include "os/spawn/env.h"
#include "os/stream/stdio.h"
#include "proc/tree/run_id_scan.h"
#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

constexpr std::array<std::string_view, 6> kBusyCauses{cause::kSessionLive, cause::kLockBusy,
                                                      cause::kSeriesBusy,  cause::kStepClaimed,
                                                      cause::kTimeout,     cause::kReadersFull};

// Without what to do about it.
std::string who_has_it(const Error& busy) { return busy.detail.substr(0, busy.detail.find(';')); }

Result<> refuse_from_inside(const std::string& name) {
  const auto inside = os::env("HOLDFAST_SESSION");
  const auto run = os::env(std::string(proc::kRunVariable).c_str());
  if (!inside || *inside != name || !run || run->empty()) return {};
  return fail(usage_error("inside-run", "use", "--if-busy replace",
                          "inside the session '" + name +
                              "' itself: it would stop its own caller; nothing was started"));
}

}  // namespace

run::IfBusy if_busy_value(const Args& args) {
  const std::string word = args.text("if-busy").value_or("fail");
  if (word == "wait") return run::IfBusy::kWait;
  if (word == "skip") return run::IfBusy::kSkip;
  return word == "replace" ? run::IfBusy::kReplace : run::IfBusy::kFail;
}

bool is_busy(const Error& error) {
  return error.code == ErrorCode::kBusy &&
         std::ranges::find(kBusyCauses, error.cause) != kBusyCauses.end();
}

std::string skip_note(const Error& busy) {
  const bool lock = busy.op.ends_with("the lock");
  return "skipped: " + std::string(lock ? "lock " : "session ") + busy.subject + " is busy (" +
         who_has_it(busy) + ")";
}

Result<> record_skip(Context& context, std::string_view type, EventData data, const Error& busy) {
  data.text("reason", busy.cause).text("evidence", who_has_it(busy));
  runtime::BufferedEvents& events = context.runtime().events();
  HF_TRY(events.record({.type = type, .data = std::move(data)}));
  return events.flush();
}

bool tells_of_waits(const Context& context) {
  return !context.json() && context.verbosity() == Verbosity::kNormal &&
         os::is_terminal(os::Stream::kErr);
}

void say_who_has_name(Context& context, const std::string& name, Duration wait) {
  if (!tells_of_waits(context)) return;
  const auto sessions = context.runtime().find_sessions();
  if (!sessions || *sessions == nullptr) return;
  const auto dir = (*sessions)->find(name);
  const auto view = dir && *dir ? session::look(**dir) : std::optional<session::SessionView>();
  if (!view || !*view || is_final((*view)->state)) return;
  const SessionRecord& record = (*view)->record;
  const auto& process = record.command ? *record.command : record.supervisor;
  context.note("waiting for session '" + name + "', held by pid " + std::to_string(process.pid) +
               " since " + format_rfc3339(record.started.value_or(record.created)) +
               ", for up to " + format_duration(wait));
}

Result<bool> replace_run(Context& context, const std::string& name, std::optional<Duration> wait) {
  HF_TRY(refuse_from_inside(name));
  runtime::Runtime& runtime = context.runtime();
  const auto* sessions = HF_TRY(runtime.find_sessions());
  if (sessions == nullptr) return false;
  const run::OrphanServices services{
      .clock = runtime.clock(), .events = runtime.events(), .locks = *HF_TRY(runtime.locks())};
  run::StopOrder order;
  const MonoTime now = services.clock.mono();
  const auto most = within_budget(wait, now).time;
  if (most) order.until = after(now, *most);
  order.by = "run --if-busy replace";
  const run::StopReport report = loop::stop_with_series(services, *sessions, {name}, order).front();
  // The supervisor of the new run must not share an open journal with this process.
  flush_or_warn(runtime.events(), context);
  runtime.events().forget();
  if (!report.error && report.outcome == proc::KillOutcome::kGone) return false;
  if (!report.error && report.outcome == proc::KillOutcome::kKilled) {
    context.note("stopped the run of session '" + name + "' that was under way");
    return true;
  }
  Error error = stop_error(report);
  if (!report.error) error.code = ErrorCode::kCannotTell;
  error.detail += "; nothing was started";
  return fail(std::move(error));
}

}  // namespace holdfast::cli
