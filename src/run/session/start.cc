// SPDX-License-Identifier: Apache-2.0
#include "run/session/start.h"

#include "format/session/outcome.h"
#include "run/session/final_state.h"
#include "run/session/keyboard.h"
#include "run/session/session_run.h"
#include "run/session/spawn_supervisor.h"
#include "run/session/status_line.h"
#include "supervise/front_end.h"

namespace holdfast::run {
namespace {

constexpr os::NativeHandle kStartStdin = 0;

}  // namespace

Result<Started> start_run(const Services& services, const RunOrder& order) {
  if (auto started = HF_TRY(spawn_supervisor(services, order))) return std::move(*started);
  const auto await =
      order.ground == Ground::kBack ? supervise::Await::kNews : supervise::Await::kReport;
  std::optional<Keyboard> keyboard;
  if (order.what.pty) {
    keyboard.emplace(HF_TRY(os::make_pty(os::window_size(kStartStdin).value_or(os::WindowSize{}))));
  }
  std::optional<StatusLine> line;
  if (order.progress && order.ground == Ground::kFore) line.emplace(services, order);
  supervise::CallerIo* caller_io = line ? &*line : nullptr;
  if (keyboard && order.ground == Ground::kFore) caller_io = &*keyboard;
  const supervise::Supervised supervised = HF_TRY(supervise::run_supervisor(
      services.clock, await,
      [&](const os::SignalState& signals, os::Handle news) {
        os::Pty* const pty = keyboard ? &keyboard->pty() : nullptr;
        return SessionRun(services, order, signals, std::move(news), pty).run();
      },
      caller_io));
  Started started{
      .report = {}, .supervisor = supervised.supervisor, .asked_to_end = supervised.asked_to_end};
  if (supervised.report) started.report = to_run_report(*supervised.report);
  return started;
}

supervise::Verdict judge_started(const Started& started) {
  const supervise::RunReport& report = *started.report;
  supervise::Verdict verdict = supervise::judge(report);
  if (started.asked_to_end && report.fault && report.fault->cause == reason::kInterrupted) {
    verdict.code = exit_status_of_signal(*started.asked_to_end);
    verdict.reason = reason::kInterrupted;
  }
  return verdict;
}

}  // namespace holdfast::run
