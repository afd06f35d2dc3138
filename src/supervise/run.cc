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

// How the shim exits where there is no report.
constexpr int kNoReport = 1;
constexpr int kEndedInNeed = 2;  // out of memory, but the tree is ended and proven empty

[[noreturn]] void be_the_shim(const Clock& clock, const RunRequest& request,
                              const os::SignalState& signals, os::Handle report_end) {
  os::File report_file(std::move(report_end), "report");
  Shim shim(clock, request, signals);
  // The one place below main that catches: an exception must not carry the shim up into the front
  // end's code and leave the tree behind.
  try {
    const RunReport report = shim.run();
    // Without a front end nobody reads it; the work is done all the same.
    const auto sent = report_file.write_all(to_bytes(report));
    os::exit_process(sent ? 0 : kNoReport);
  } catch (...) {
    os::exit_process(shim.end_in_need() ? kEndedInNeed : kNoReport);
  }
}

// What the terminal sends, the command has got already. Somebody who stops the shim, the command
// itself perhaps, would switch the deadline off: it is woken at once.
Result<os::Sent> handle_signal(const os::ArrivedSignal& signal, const os::OwnChild& shim) {
  switch (signal.origin) {
    case os::Origin::kSender:
    case os::Origin::kKernel:
      return shim.signal(signal.number);
    case os::Origin::kChild:
      if (HF_TRY(os::take_stop(shim.pid))) return shim.signal(os::continue_signal());
      return os::Sent::kGone;
    case os::Origin::kTerminal:
      return os::Sent::kGone;
  }
  __builtin_unreachable();
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
      const auto sent = handle_signal(**signal, shim);
      static_cast<void>(sent);  // gone: its report says the rest
    }
    const auto reported = os::is_readable(report);
    if (!reported || *reported) return;
  }
}

// How the shim went without a report.
std::string describe(const Result<os::ChildEnd>& shim_end) {
  if (!shim_end) return "vanished";
  if (shim_end->how == os::ChildEnd::How::kSignalled) {
    return "died of signal " + os::signal_name(shim_end->value);
  }
  return "failed and could not report";
}

bool ended_in_need(const Result<os::ChildEnd>& shim_end) {
  return shim_end && shim_end->how == os::ChildEnd::How::kExited && shim_end->value == kEndedInNeed;
}

RunReport lost_report(const Clock& clock, const Result<os::ChildEnd>& shim_end) {
  RunReport report;
  report.ended = clock.wall();
  report.supervisor_gone = true;
  report.fault = Error{.code = ErrorCode::kCannotTell,
                       .op = "tell how the command ended",
                       .cause = "supervisor-gone",
                       .detail = ended_in_need(shim_end)
                                     ? "its supervisor ran out of memory and ended it with KILL"
                                     : "its supervisor " + describe(shim_end) +
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
  // What is still to be said can be interrupted again.
  const auto restored = os::restore_signals(signals);
  static_cast<void>(restored);  // then it cannot; the answer is the same
  if (received) return *received;
  return lost_report(clock, shim_end);
}

}  // namespace holdfast::supervise
