// SPDX-License-Identifier: Apache-2.0
//
// The front end. It holds no state that matters: if it is stopped, the shim goes on; if it is
// killed, the shim goes on and its report finds no reader. It learns of the shim's end by the end
// of the report pipe, never by reaping at large, because its other children are not ours.
#include "supervise/run.h"

#include "os/file.h"
#include "os/pipe.h"
#include "os/poll.h"
#include "supervise/report_bytes.h"
#include "supervise/shim.h"

namespace holdfast::supervise {
namespace {

constexpr std::size_t kMaxReport = 8192;

[[noreturn]] void be_the_shim(const Clock& clock, const RunRequest& request,
                              const os::SignalState& signals, os::Handle report_end) {
  const RunReport report = Shim(clock, request, signals).run();
  // Without a front end nobody reads it; the work is done all the same.
  const auto sent = os::File(std::move(report_end), "report").write_all(to_bytes(report));
  os::exit_process(sent ? 0 : 1);
}

// Until the shim has reported or ended. Where waiting itself fails, reading the report blocks
// instead, and only the passing on of signals is lost.
void pass_signals_on(os::SignalInbox& inbox, const os::OwnChild& shim, const os::Handle& report) {
  for (;;) {
    const auto waited = os::wait_readable({&inbox.handle(), &report}, std::nullopt);
    if (!waited) return;
    for (;;) {
      const auto signal = inbox.next();
      if (!signal || !*signal) break;
      if ((*signal)->origin != os::Origin::kSender) continue;
      const auto sent = shim.signal((*signal)->number);
      static_cast<void>(sent);  // gone: its report says the rest
    }
    const auto reported = os::is_readable(report);
    if (!reported || *reported) return;
  }
}

RunReport lost_report(const Clock& clock, const std::optional<os::ChildEnd>& shim_end) {
  RunReport report;
  report.ended = clock.wall();
  report.started = report.ended;  // it may have been: never "not started" without knowing
  report.fault = Error{.code = ErrorCode::kCannotTell,
                       .op = "tell how the command ended",
                       .cause = "supervisor-gone",
                       .detail = "its supervisor " +
                                 std::string(shim_end ? "was ended from outside" : "vanished") +
                                 "; the command and its children may still run"};
  return report;
}

}  // namespace

Result<RunReport> run_foreground(const Clock& clock, const RunRequest& request) {
  const os::SignalState signals = HF_TRY(os::block_signals());
  os::SignalInbox inbox = HF_TRY(os::SignalInbox::open());
  os::Pipe report = HF_TRY(os::make_pipe());
  const os::Forked forked = HF_TRY(os::fork_process());
  if (forked.in_child) {
    report.read_end.reset();
    be_the_shim(clock, request, signals, std::move(report.write_end));
  }
  report.write_end.reset();
  // Only now: the shim was born with them blocked, so no Ctrl-Z can stop it.
  const auto allowed = os::allow_stop_signals();
  static_cast<void>(allowed);  // without it Ctrl-Z stops the command alone; the run goes on

  pass_signals_on(inbox, forked.child, report.read_end);
  const auto bytes = os::File(std::move(report.read_end), "report").read_all(kMaxReport);
  const auto shim_end = os::reap_child(forked.child.pid);
  const auto received = bytes ? from_bytes(*bytes) : std::nullopt;
  if (received) return *received;
  return lost_report(clock, shim_end ? std::optional(*shim_end) : std::nullopt);
}

}  // namespace holdfast::supervise
