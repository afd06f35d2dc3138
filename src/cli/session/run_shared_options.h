// SPDX-License-Identifier: Apache-2.0
//
// The options of `run` that say how it gets along with others: slots, a name that is taken, an
// owner. A part of run_options.h.
#pragma once

#include "cli/frame/command.h"

namespace holdfast::cli {

inline constexpr OptionSpec kRunSlotsOption{
    .name = "slots",
    .kind = OptionKind::kText,
    .value = "NAME=N",
    .help = "hold one of N slots of NAME while it runs: up to N runs at once",
    .repeat = Repeat::kMany};
inline constexpr OptionSpec kRunStaggerOption{
    .name = "stagger",
    .kind = OptionKind::kDuration,
    .value = "D",
    .help = "at least D between two starts with a slot of the same name",
    .needs = "slots|profile"};
inline constexpr OptionSpec kRunWaitOption{
    .name = "wait",
    .letter = 'w',
    .kind = OptionKind::kDuration,
    .value = "D",
    .help =
        "how long to wait for each --lock (default 10s; 0 with --if-busy skip), and "
        "with --iterations for one that a dead driver has left under way (default: "
        "not); with --if-busy wait for the name (default 10s)",
    .needs = "lock|slots|iterations|profile|if-busy"};
inline constexpr OptionSpec kRunIfBusyOption{
    .name = "if-busy",
    .kind = OptionKind::kChoice,
    .value = "fail|wait|skip|replace",
    .help =
        "if the name or a --lock is taken: exit with 75 (`fail`, default), `wait` "
        "for it, `skip` this run and exit with 0, or `replace`: stop the run that "
        "has the name, then start",
    .needs = "name|lock|slots|profile"};
inline constexpr OptionSpec kRunOwnerOption{
    .name = "owner",
    .kind = OptionKind::kText,
    .value = "PID|parent",
    .help = "end the whole tree when this process ends, even if its streams stay open",
    .excludes = "iterations"};

}  // namespace holdfast::cli
