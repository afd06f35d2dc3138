// SPDX-License-Identifier: Apache-2.0
//
// What `gc` is asked to do, from its command line.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "gc/adopt.h"
#include "gc/options.h"
#include "gc/sweep.h"

namespace holdfast::cli {

inline constexpr std::array kGcOptions{
    OptionSpec{.name = "plan", .help = "only show what would go and why, and keep that plan"},
    OptionSpec{.name = "apply",
               .kind = OptionKind::kText,
               .value = "ID",
               .help = "do this plan, or less: each session is proved again"},
    OptionSpec{.name = "probe",
               .kind = OptionKind::kText,
               .value = "[POOL=]CMD",
               .help = "a shell command that prints what lives, one name or id per line; it speaks "
                       "for sessions with the authority `command:…` (of POOL) and for no others",
               .repeat = Repeat::kMany},
    OptionSpec{.name = "probe-timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long an authority may take to answer (default 10s)"},
    OptionSpec{.name = "grace",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "keep sessions that were made less than D ago (default 5m)"},
    OptionSpec{.name = "rescue",
               .kind = OptionKind::kText,
               .value = "CMD",
               .help = "a shell command that saves what is worth saving; only its 0 lets a session "
                       "go"},
    OptionSpec{.name = "rescue-timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long one rescue may take (default 5m)",
               .needs = "rescue|apply"},
    OptionSpec{.name = "keep",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "keep the N newest of the dead ones"},
    OptionSpec{.name = "max-age",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "remove only dead ones that are older than D"},
    OptionSpec{.name = "trash-for",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long what this gc removes stays in the trash (default 1d); 0 removes "
                       "it at once. What is there already keeps the time that it was given"},
    OptionSpec{.name = "allow-all",
               .help = "lift the brake: believe an authority that knows none of its sessions, or "
                       "less than half of them"},
    OptionSpec{.name = "allow",
               .kind = OptionKind::kText,
               .value = "AUTHORITY",
               .help =
                   "lift the brake for this one alone: a kind (`podman`), or an authority as it "
                   "is named where it was braked",
               .repeat = Repeat::kMany,
               .excludes = "allow-all"},
    OptionSpec{.name = "runs", .help = "also sessions of `holdfast run` that are over"},
    OptionSpec{.name = "adopt-dir",
               .kind = OptionKind::kPath,
               .value = "DIR",
               .help = "first give records to directories in DIR that a harness made itself; with "
                       "--plan they are only named"},
    OptionSpec{.name = "pattern",
               .kind = OptionKind::kText,
               .value = "P",
               .help = "which of them: a name in which `*` is any text and `?` any one character"},
    OptionSpec{.name = "authority",
               .kind = OptionKind::kText,
               .value = "KIND:TEMPLATE",
               .help = "who vouches for them; `{*}` is what the `*` stands for, `{name}` the name"},
    OptionSpec{.name = "verbose", .letter = 'v', .help = "also list what is kept, and why"},
};

struct GcCall {
  bool plan_only = false;
  std::optional<std::string> apply{};  // the id of a plan
  gc::Options options{};
  gc::Overrides overrides{};  // for apply
  std::optional<gc::AdoptOrder> adopt{};
};
// Errors: kUsage.
Result<GcCall> gc_call(const Args& args);

}  // namespace holdfast::cli
