// SPDX-License-Identifier: Apache-2.0
//
// A process cannot become another program here. What its caller sees is nearly the same: the
// command runs with this process's streams, gets what the console sends, and this process ends with
// its exit code and does nothing else. The difference is that there are two processes: the
// command's number is not ours, and who ends us by force does not end it.
#include "os/spawn/exec.h"

#include "os/signal/signals.h"
#include "os/spawn/child.h"
#include "os/watch/poll.h"

namespace holdfast::os {
namespace {

[[noreturn]] void end_like(const ChildEnd& end) {
  constexpr int kOfSignal = 128;
  exit_process(end.how == ChildEnd::How::kExited ? end.value : kOfSignal + end.value);
}

[[noreturn]] void wait_and_end_like(const OwnChild& child, SignalInbox& inbox) {
  constexpr int kCannotTell = 69;
  for (;;) {
    const auto ended = reap_if_ended(child.pid);
    if (ended && *ended) end_like(**ended);
    const auto waited = wait_readable({&child.pidfd, &inbox.handle()}, std::nullopt);
    if (!waited) break;
    for (auto signal = inbox.next(); signal && *signal; signal = inbox.next()) {
      const auto sent = child.signal((*signal)->number);
      static_cast<void>(sent);  // gone: its end says the rest
    }
  }
  if (const auto ended = reap_child(child.pid)) end_like(*ended);
  exit_process(kCannotTell);
}

}  // namespace

Result<StartFailure> exec_command(const std::vector<std::string>& argv,
                                  const std::vector<std::string>& added) {
  const SignalState signals = HF_TRY(block_signals());
  auto inbox = SignalInbox::open();
  if (!inbox) return fail(inbox.error());
  Spawned spawned = HF_TRY(spawn({.argv = argv, .environment = added, .signals = signals}));
  HF_TRY(spawned.release());
  const auto failure = HF_TRY(spawned.read_start());
  if (!failure) wait_and_end_like(spawned.child(), *inbox);
  const auto reaped = reap_child(spawned.child().pid);
  static_cast<void>(reaped);  // the stand-in
  HF_TRY(restore_signals(signals));
  return *failure;
}

Error exec_unchanged(const std::vector<std::string>& argv) {
  return {.code = ErrorCode::kRefused,
          .op = "execute",
          .subject = "'" + argv.at(0) + "'",
          .cause = "unsupported",
          .detail = "a process cannot become another program here"};
}

}  // namespace holdfast::os
