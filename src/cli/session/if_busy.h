// SPDX-License-Identifier: Apache-2.0
//
// --if-busy: what `run`, `lock` and the steps do if somebody else has what they need.
//
//   fail      exits with 75 (busy) and names who has it: the default
//   wait      waits, never longer than --wait
//   skip      exits with 0 and starts nothing
//   replace   `run` only: stops the run that has the name, as `holdfast stop` does, then starts
//
// Guarantees: a skip is in the journal before it is answered; if it cannot be recorded, the answer
// stays 75. A run is replaced only if its end is proven: anything else is kCannotTell, and nothing is
// started.
//
// Two who replace at once: each stops the run that it found, and asks for the name. One gets it; the
// other is told that another run came first (75), or was itself found and stopped. Never do both
// run.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/event.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "format/session/outcome.h"
#include "run/session/order.h"

namespace holdfast::cli {

// Of `lock` and the steps; `run` has its own, with `replace`.
inline constexpr OptionSpec kIfBusyOption{
    .name = "if-busy",
    .kind = OptionKind::kChoice,
    .value = "fail|wait|skip",
    .help =
        "if somebody else has it: exit with 75 (`fail`, default), `wait` for it, or `skip`: "
        "exit with 0 at once"};

inline constexpr std::string_view kSkipped = reason::kSkipped;  // of a verdict

// From --if-busy; kFail where it was not typed.
run::IfBusy if_busy_value(const Args& args);

// Is it the answer of somebody who was too late, and of nothing else?
bool is_busy(const Error& error);
// "skipped: session 'sync' is busy (it runs as process 4711)".
std::string skip_note(const Error& busy);
// `type` is session.skipped, lock.skipped or step.skipped. Durable enough to be told: it is in the
// journal when this returns. Errors: the journal's.
Result<> record_skip(Context& context, std::string_view type, EventData data, const Error& busy);

// A person at a terminal is told whom we are about to wait for.
bool tells_of_waits(const Context& context);
void say_who_has_name(Context& context, const std::string& name, Duration wait);

// Stops the run that has the name now. False: there was none. `wait`: for its end; else as long as
// that may take. Errors: kUsage from inside that very run; kCannotTell where its end is not proven;
// those of `stop`. Nothing is to be started then.
Result<bool> replace_run(Context& context, const std::string& name, std::optional<Duration> wait);

}  // namespace holdfast::cli
