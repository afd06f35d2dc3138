// SPDX-License-Identifier: Apache-2.0
//
// What `once`, `attempt` and `notify` have in common: the command line, and the way from
// there to the exit code.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/session/if_busy.h"
#include "loop/intent/question.h"
#include "loop/step/step_decide.h"

namespace holdfast::cli {

inline constexpr ArgumentSpec kStepKey{.name = "KEY",
                                       .help = "what it is about; any text of up to 112 bytes"};

inline constexpr OptionSpec kStepKind{.name = "kind",
                                      .kind = OptionKind::kChoice,
                                      .value = "once|attempt|notify",
                                      .help = "only steps of this kind"};

inline constexpr OptionSpec kStepTimeout{
    .name = "timeout",
    .kind = OptionKind::kDuration,
    .value = "D",
    .help = "end the command and its whole tree after D, time asleep included"};
inline constexpr OptionSpec kStepGrace{.name = "grace",
                                       .kind = OptionKind::kDuration,
                                       .value = "D",
                                       .help = "the time between TERM and KILL (default 10s)"};
inline constexpr OptionSpec kStepWait{
    .name = "wait",
    .letter = 'w',
    .kind = OptionKind::kDuration,
    .value = "D",
    .help = "with --if-busy wait: how long to wait for a run of it (default 10s)",
    .needs = "if-busy"};
inline constexpr OptionSpec kStepStatusFd{
    .name = "status-fd",
    .kind = OptionKind::kInteger,
    .value = "N",
    .help =
        "report on descriptor N (3 or more), as JSON, whether the exit code is holdfast's or the "
        "command's"};

inline constexpr std::array kStepFields{
    JsonField{"key", "of the step"},
    JsonField{"decision",
              "`ran`; `skipped`, it was done before, or with --if-busy skip somebody does it now; "
              "`wait`, not yet; "
              "`exhausted`; `suppressed`"},
    JsonField{"next", "when it may run next; null where that needs no time, or never comes"},
    JsonField{"exit_code", "the command's own; null where it has none, or was not run"},
    JsonField{"signal", "the number of the signal that the command died of; else null"},
    JsonField{"state", "of its run, as `holdfast run` has it; null where nothing was run"},
    JsonField{"session", "under this name `ps`, `show`, `stop` and `adopt` find its run"},
    JsonField{"attempts", "how many have failed so far"},
    JsonField{"max", "`attempt`: how many may; else null"},
    JsonField{"repeated", "an earlier run may have done it already: nobody saw how it ended"},
    JsonField{"claimed_by", "the process that has it now; null where nobody has"},
};

// The key, checked before anything is done.
Result<std::string> step_key(const Args& args, StepKind kind);

// "5m,30m,2h". Errors: kUsage.
Result<std::vector<Duration>> backoff_value(const Args& args);

// `request.key` is set here. Everything is said here: the document, the notes, the error.
Result<int> perform_step(Context& context, const Args& args, loop::StepRequest request,
                         const std::optional<loop::Question>& verify = {});

}  // namespace holdfast::cli
