// SPDX-License-Identifier: Apache-2.0
//
// The options of `run`, and the order that they make.
#pragma once

#include <array>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/session/run_shared_options.h"
#include "run/session/order.h"

namespace holdfast::cli {

inline constexpr std::array kRunArguments{
    ArgumentSpec{.name = "NAME",
                 .help = "with --profile FILE: the session of that file; may be left out where it "
                         "has one only",
                 .arity = Arity::kOptional,
                 .behind = "profile"}};

inline constexpr std::array kRunOptions{
    OptionSpec{.name = "profile",
               .letter = 'p',
               .kind = OptionKind::kPath,
               .value = "FILE",
               .help = "do what a profile says and run its command; without a slash and `.toml` "
                       "it is the name of a session in ./holdfast.toml or config.toml"},
    OptionSpec{.name = "trust-dir",
               .help = "believe a profile although another user may change it (otherwise refused "
                       "with 77)",
               .needs = "profile"},
    OptionSpec{.name = "name",
               .kind = OptionKind::kText,
               .value = "N",
               .help = "run it as session N: once at a time, on record, with a log"},
    OptionSpec{
        .name = "detach",
        .letter = 'd',
        .help = "print the session's name, start it, and return as soon as the command runs"},
    OptionSpec{.name = "timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "end the command and its whole tree after D, time asleep included"},
    OptionSpec{.name = "idle-timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "end them when nothing was printed for D; a program that buffers its output "
                       "seems silent: --pty makes most print each line"},
    OptionSpec{.name = "grace",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "the time between TERM and KILL (default 10s)"},
    OptionSpec{.name = "kill-signal",
               .kind = OptionKind::kText,
               .value = "S",
               .help = "what is sent first instead of TERM, by name or number"},
    OptionSpec{
        .name = "verify",
        .kind = OptionKind::kText,
        .value = "CMD",
        .help = "a shell line that must succeed, after exit 0, for the run to count as done"},
    OptionSpec{.name = "verify-timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long that, --until and --progress may take (default 5m)",
               .needs = "verify|until|progress|profile"},
    OptionSpec{.name = "on-end",
               .kind = OptionKind::kText,
               .value = "CMD",
               .help = "a shell line to run at the end, however it ends; it has 5m, and keeps the "
                       "name"},
    OptionSpec{.name = "on-failure",
               .kind = OptionKind::kText,
               .value = "CMD",
               .help = "a shell line to run if the run failed, could not start, or timed out"},
    OptionSpec{.name = "on-success",
               .kind = OptionKind::kText,
               .value = "CMD",
               .help = "a shell line to run if the run exited with 0 (and --verify confirmed it)"},
    OptionSpec{.name = "once-per-streak",
               .help =
                   "run --on-failure only for the first failure in a row, and --on-success only "
                   "for the first success after it",
               .needs = "on-failure|on-success|profile"},
    OptionSpec{.name = "lock",
               .kind = OptionKind::kText,
               .value = "NAME",
               .help = "hold this lock while it runs; a NAME such as ./x or /run/lock/x is a path, "
                       "as for `lock`",
               .repeat = Repeat::kMany},
    kRunSlotsOption,
    kRunStaggerOption,
    kRunWaitOption,
    kRunIfBusyOption,
    OptionSpec{.name = "env",
               .letter = 'e',
               .kind = OptionKind::kText,
               .value = "NAME=VALUE",
               .help = "set a variable of the command",
               .repeat = Repeat::kMany},
    OptionSpec{.name = "chdir",
               .letter = 'C',
               .kind = OptionKind::kPath,
               .value = "DIR",
               .help = "run it in DIR"},
    OptionSpec{.name = "stdin",
               .kind = OptionKind::kPath,
               .value = "FILE",
               .help = "read standard input from FILE, for example a long prompt"},
    OptionSpec{.name = "pty", .help = "give the command a terminal of its own"},
    OptionSpec{.name = "no-log", .help = "keep no log; what it prints goes straight to the caller"},
    OptionSpec{.name = "log-max",
               .kind = OptionKind::kSize,
               .value = "SIZE",
               .help = "begin a new log file at SIZE and keep one old one (default 64M)",
               .excludes = "no-log"},
    OptionSpec{.name = "memory",
               .kind = OptionKind::kSize,
               .value = "SIZE",
               .help = "the most memory that the tree may use"},
    OptionSpec{.name = "pids",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "the most processes and threads that it may have"},
    OptionSpec{.name = "cpu",
               .kind = OptionKind::kText,
               .value = "N",
               .help = "the processors that it may use: 1.5, or 150%"},
    OptionSpec{.name = "nofile",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "the most files that each of its processes may have open"},
    OptionSpec{.name = "memory-fallback",
               .kind = OptionKind::kChoice,
               .value = "none|rlimit",
               .help = "where no control group can limit it: nothing, or the address space of each "
                       "process (default none)",
               .needs = "memory|profile"},
    OptionSpec{.name = "limits-best-effort",
               .help = "run it also where a limit cannot be enforced here, and say so",
               .needs = "memory|pids|cpu|nofile|profile"},
    OptionSpec{.name = "contain",
               .kind = OptionKind::kChoice,
               .value = "auto|pidns",
               .help =
                   "hold the tree by what there is (default auto), or by a pid namespace that ends "
                   "with the supervisor"},
    OptionSpec{.name = "wait-descendants",
               .help = "wait for what the command leaves running, instead of ending it"},
    OptionSpec{.name = "iterations",
               .kind = OptionKind::kInteger,
               .value = "K",
               .help = "run it up to K times, one after the other; --timeout is of all of them"},
    OptionSpec{
        .name = "until",
        .kind = OptionKind::kText,
        .value = "CMD",
        .help = "with --iterations: a shell line that exits with 0 when the goal is reached"},
    OptionSpec{.name = "iteration-timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "end an iteration after D"},
    OptionSpec{.name = "max-errors",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "give up after N iterations in a row that failed (default 3)"},
    OptionSpec{.name = "progress",
               .kind = OptionKind::kText,
               .value = "CMD",
               .help = "a shell line that prints a mark of the work, such as `git rev-parse HEAD`"},
    OptionSpec{.name = "max-idle",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "stop after N iterations in a row that left the mark as it was (default 3)",
               .needs = "progress"},
    OptionSpec{.name = "pause",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "between two iterations (default 0)"},
    OptionSpec{.name = "fresh", .help = "begin a new series, and leave an unfinished one behind"},
    kRunOwnerOption,
    OptionSpec{.name = "status-fd",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "report on descriptor N (3 or more), as JSON, whether the exit code is "
                       "holdfast's or the command's"},
};

// Errors: kUsage.
Result<run::RunOrder> run_order(const Context& context, const Args& args);

}  // namespace holdfast::cli
