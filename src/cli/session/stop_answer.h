// SPDX-License-Identifier: Apache-2.0
//
// How the reports of `stop` are shown, and its exit code.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "run/orphan/stop.h"

namespace holdfast::cli {

enum class StopTargets : std::uint8_t {
  kNamed,
  kAll,  // one that is over by now is what was wanted
};

// Emits, notes and warns. Returns the code: of several the most serious one.
Result<int> answer_stop(Context& context, const std::vector<run::StopReport>& reports,
                        StopTargets targets);

// Why it was not stopped.
Error stop_error(const run::StopReport& report);

// The options and the manual of `stop`.
inline constexpr std::array kStopOptions{
    OptionSpec{.name = "all", .help = "all sessions of this home that are not over"},
    OptionSpec{.name = "grace",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "the time between the first signal and KILL (default: the session's own)",
               .excludes = "assume-gone"},
    OptionSpec{.name = "signal",
               .kind = OptionKind::kText,
               .value = "S",
               .help = "what is sent first, by name or number (default: the session's own)",
               .excludes = "assume-gone"},
    OptionSpec{
        .name = "wait",
        .letter = 'w',
        .kind = OptionKind::kDuration,
        .value = "D",
        .help =
            "wait so long for the end (default: grace and 15s); where no supervisor is left, its "
            "grace ends in time for KILL",
        .excludes = "assume-gone"},
    OptionSpec{.name = "assume-gone",
               .help =
                   "close an orphan of which nobody is seen any more, without proof, or a session "
                   "whose record is damaged"},
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "why that is known; it goes on record"},
};
inline constexpr std::array kStopArguments{
    ArgumentSpec{.name = "NAME", .help = "the names of the sessions", .arity = Arity::kAny}};

inline constexpr std::array kStopExamples{
    Example{.line = "holdfast stop fix-160", .says = "End a session and all that it started"},
    Example{.line = "holdfast stop --all --grace 2s", .says = "All of them at once"},
    Example{.line = "holdfast stop fix-160 --assume-gone --reason 'looked with ps'",
            .says = "Free the name of an orphan whose end nothing here can prove"},
};

inline constexpr std::array kStopExits{
    ExitNote{ExitCode::kDone, "killed: each is over, and on record as that"},
    ExitNote{ExitCode::kUsage, "neither NAME nor --all; or the options do not go together"},
    ExitNote{ExitCode::kCorrupt,
             "its record is damaged; nothing was done (--assume-gone puts the record aside)"},
    ExitNote{ExitCode::kNo, "gone: there is no such session, or it was over already"},
    ExitNote{ExitCode::kCannotTell,
             "unproven: what was found has ended, and without a cgroup nothing proves that it is "
             "all; or its supervisor does not answer, or cannot be judged from here"},
    ExitNote{ExitCode::kOsRefused, "not permitted: the kernel does not let this user signal it"},
    ExitNote{ExitCode::kSurvivors, "survivors: somebody is left, and named"},
    ExitNote{ExitCode::kIo, "the journal cannot take the decision; nothing was signalled"},
    ExitNote{ExitCode::kBusy, "somebody else is taking care of the orphan, or has adopted it"},
    ExitNote{ExitCode::kRefused,
             "the record names a process that is not the session's, and nobody was signalled; or "
             "the caller is one of its processes; or --assume-gone while somebody is seen alive"},
};

inline constexpr std::array kStopFields{
    JsonField{"name", "of the session; this and the next five with one NAME"},
    JsonField{"outcome",
              "`killed`, `gone`, `mismatch`, `refused`, `not_permitted`, `survivors` or "
              "`unproven`; null where `error` says why there is none"},
    JsonField{"survivors", "a list of who is left, each with `pid`, `name` and `why`"},
    JsonField{"state", "of the session afterwards; null where there is none"},
    JsonField{"evidence",
              "why, a stable word: `recorded`, `cgroup-empty`, `no-cgroup`, `series-stopped` "
              "(between two iterations), `series-goes-on`, `damaged-record`, …"},
    JsonField{"ended", "of an unproven tree: how many processes were seen to end"},
    JsonField{"sessions", "the same six of each session"},
};

inline constexpr std::string_view kStopDescription =
    "The supervisor of each session is asked to end it, all of them at once, and they are waited "
    "for together: TERM to every process of the tree, the grace, KILL, the proof that nothing is "
    "left, the final record.\n\n"
    "An orphan, whose supervisor is gone, is ended by this command itself, with the decision on "
    "record before the first signal. If its tree has a control group, the end is proven and the "
    "session is `lost`: nobody saw how it ended. Without one, the command and everything that "
    "carries the session's run id is ended, and the answer is 69, because nothing proves that "
    "this is all. The name stays taken then, until --assume-gone closes it; that is refused while "
    "anybody of the session is seen alive.\n\n"
    "If the record of a session is damaged, --assume-gone puts it aside, as `session.damaged-ID` "
    "in the session's directory, and frees the name; it is refused while somebody has the name or "
    "is seen alive.\n\n"
    "A series (`run --iterations`) is stopped with its session, also while it pauses or asks for "
    "its goal or its progress: whoever drives it gets TERM, and is waited for. The same `run` "
    "command goes on with it later.\n\n"
    "A record alone leads to no signal: its command must carry the session's run id or be known "
    "to the lock of the name.";

}  // namespace holdfast::cli
