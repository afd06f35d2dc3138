// SPDX-License-Identifier: Apache-2.0
//
// What `kill` was asked to do, how its report is shown, and its exit code.
#pragma once

#include <array>
#include <string_view>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "proc/kill/kill.h"
#include "proc/kill/kill_answer.h"

namespace holdfast::cli {

inline constexpr std::array kKillOptions{
    OptionSpec{.name = "tree",
               .help = "also what is below the process, and what carries its run id"},
    OptionSpec{.name = "signal",
               .kind = OptionKind::kText,
               .value = "S",
               .help = "send this signal only, by name or number, instead of TERM and then KILL"},
    OptionSpec{.name = "grace",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "the time between TERM and KILL (default 10s)"},
    OptionSpec{.name = "wait",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help =
                   "wait so long for the end, behind KILL (default 10s) or the signal (default: "
                   "not at all, behind KILL 10s)"},
    OptionSpec{.name = "pidfile",
               .kind = OptionKind::kPath,
               .value = "FILE",
               .help = "instead of ID: the process that an old pid file names, if that can be "
                       "proven"},
    OptionSpec{.name = "started-after",
               .kind = OptionKind::kText,
               .value = "TIME",
               .help = "with --pidfile: the process was started after TIME (RFC 3339, or a "
                       "duration back from now)"},
    OptionSpec{.name = "starttime",
               .kind = OptionKind::kInteger,
               .value = "TICKS",
               .help = "with --pidfile: its start in clock ticks, field 22 of /proc/PID/stat"},
};

// "TERM", "SIGTERM", "term", "15". Errors: kUsage.
Result<int> parse_signal(std::string_view typed);

// From kKillOptions, but for the pid file. Errors: kUsage for what does not go together.
Result<proc::KillOrder> kill_order(const Args& args);

using proc::exit_of;
using proc::missing_evidence;

// Emits, notes and warns. Returns the code, or the Error that has it.
Result<int> answer_kill(Context& context, std::int32_t pid, const proc::KillReport& report);

}  // namespace holdfast::cli
