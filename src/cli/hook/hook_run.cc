// SPDX-License-Identifier: Apache-2.0
//
// The journal is opened for each of the events and closed again: the command in between may fork,
// and what it forks must not have a journal that is not its own.
#include "cli/hook/hook_run.h"

#include <algorithm>

#include "base/printable.h"
#include "cli/frame/console.h"
#include "os/machine/random.h"
#include "os/process/pid.h"
#include "os/signal/signal_flag.h"

namespace holdfast::cli {
namespace {

std::int64_t hook_run_milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

}  // namespace

EventData HookRun::facts() const {
  EventData data;
  data.text("id", to_hex(*id_)).text("command", command_).number("pid", os::number(os::own_pid()));
  return data;
}

Result<> HookRun::record(std::string_view type, EventData data) {
  runtime::BufferedEvents events = runtime_.own_events();
  HF_TRY(events.record({.type = type, .data = std::move(data)}));
  return {};
}

// Hosts read death by a signal as permission.
constexpr std::string_view kEndedAtASignal =
    "holdfast: a signal ended the hook before it had answered; the hook blocks\n";

Result<> HookRun::begin() {
  os::exit_at_signals(kHookBlocks, kEndedAtASignal);
  begun_ = clock_.mono();
  id_ = HF_TRY(os::random_id());
  EventData data = facts();
  if (options_.budget) data.number("budget_ms", hook_run_milliseconds(*options_.budget));
  auto recorded = record("hook.started", std::move(data));
  if (recorded) return {};
  id_.reset();
  Error error = std::move(recorded).error();
  error.detail += "; under --hook nothing is done that is not on record first";
  return fail(std::move(error));
}

bool HookRun::allow(Console& console, const HookAnswer& answer) {
  const bool named = std::ranges::any_of(
      options_.hook.allow, [&](ExitCode code) { return to_int(code) == answer.code; });
  if (!id_ || !named) return false;
  const std::string name(answer_name(answer.code));
  EventData data = facts();
  data.text("reason", name).number("code", answer.code);
  if (!answer.cause.empty()) data.text("cause", answer.cause);
  if (const auto recorded = record("hook.allowed", std::move(data)); !recorded) {
    write_diagnostic(console, printable("it blocks, because that it was allowed could not be "
                                        "recorded: " +
                                        to_sentence(recorded.error())));
    return false;
  }
  write_diagnostic(console, "the hook is let through although the answer is " +
                                std::to_string(answer.code) + " (" + name +
                                "), as --hook-allow says; this is on record");
  return true;
}

// Codes from 125 on are those of shells and wrappers: a wrapper that failed, could not be run, not
// found, died of signal n. Whatever the guard would have said, it has not, and hosts read these
// codes as "go on".
bool HookRun::unanswered(const HookAnswer& answer) {
  constexpr int kFirstOfWrappers = 125;
  return answer.commands_own && answer.code >= kFirstOfWrappers;
}

int HookRun::end(Console& console, const HookAnswer& answer) {
  int status = answer.code;
  if (!answer.commands_own && answer.code != 0) status = allow(console, answer) ? 0 : kHookBlocks;
  if (unanswered(answer)) {
    status = kHookBlocks;
    write_diagnostic(console, "the command's code is " + std::to_string(answer.code) +
                                  " (125 to 127: it could not be run, above "
                                  "128: a signal), so it has not answered; the hook blocks");
  }
  if (!id_) return status;
  EventData data = facts();
  data.number("code", answer.code).number("status", status);
  data.text("by", answer.commands_own ? "command" : "holdfast");
  if (!answer.cause.empty()) data.text("cause", answer.cause);
  data.number("took_ms", hook_run_milliseconds(clock_.mono() - begun_));
  if (const auto recorded = record("hook.ended", std::move(data)); !recorded) {
    write_diagnostic(console, printable("the end of the hook could not be recorded: " +
                                        to_sentence(recorded.error())));
  }
  return status;
}

}  // namespace holdfast::cli
