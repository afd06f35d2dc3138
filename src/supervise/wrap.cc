// SPDX-License-Identifier: Apache-2.0
//
// The hostile moment: this process is killed between the fork and the caller_hooks's note of who the
// child is. The child is at its gate, which closes with us, so it exits and nothing ran unnoted.
#include "supervise/wrap.h"

#include "os/watch/poll.h"
#include "supervise/pass_signals.h"

namespace holdfast::supervise {
namespace {

// Until it has ended. A child's end is also announced by a signal, so this works without pidfds.
Result<os::ChildEnd> wait_for_end(const os::OwnChild& child, SignalPasser& signals) {
  for (;;) {
    if (const auto end = HF_TRY(os::reap_if_ended(child.pid))) return *end;
    const auto waited = os::wait_readable({&signals.handle(), &child.pidfd}, std::nullopt);
    if (!waited) return os::reap_child(child.pid);  // only the passing on of signals is lost
    signals.pass_on();
  }
}

// The gate closes with the Spawned, and the child exits.
void abandon(os::Spawned spawned) {
  const os::Pid pid = spawned.child().pid;
  {
    const os::Spawned dropped = std::move(spawned);
  }
  const auto reaped = os::reap_child(pid);
  static_cast<void>(reaped);  // it never ran; how it went is of no interest
}

}  // namespace

Result<RunReport> run_wrapped(const Clock& clock, const WrapRequest& request,
                              CallerHooks& caller_hooks) {
  const HeldSignals held = HF_TRY(HeldSignals::hold());
  os::SignalInbox inbox = HF_TRY(os::SignalInbox::open());
  os::Spawned spawned = HF_TRY(os::spawn({.argv = request.argv,
                                          .stdout_to = request.stdout_to,
                                          .environment = request.environment,
                                          .environment_without = request.environment_without,
                                          .inherit = request.inherit,
                                          .signals = held.state()}));
  auto ready = caller_hooks.born({.command = spawned.child().pid});
  if (ready) ready = spawned.release();
  if (!ready) {
    abandon(std::move(spawned));
    return fail(std::move(ready).error());
  }
  RunReport report;
  report.left_alone = true;
  report.pid = spawned.child().pid;
  report.started = clock.wall();
  // Only now: the child was born with them blocked.
  const auto allowed = os::allow_stop_signals();
  static_cast<void>(allowed);  // without it Ctrl-Z stops the command alone
  caller_hooks.started();

  SignalPasser signals(std::move(inbox), spawned.child(), Passed::kToCommand);
  const auto end = wait_for_end(spawned.child(), signals);
  report.ended = clock.wall();
  if (end) {
    report.end = *end;
    // Nobody holds the other end any more, so this cannot block.
    auto failure = spawned.read_start();
    if (failure) {
      report.start_failure = *failure;
    } else {
      report.fault = std::move(failure).error();
    }
  } else {
    report.fault = end.error();
  }
  return report;
}

}  // namespace holdfast::supervise
