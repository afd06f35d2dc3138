// SPDX-License-Identifier: Apache-2.0
//
// The command `lock`: its own options and description, the way from what was typed to a
// LockRunRequest, and how the outcome is said: the verdict behind the exit code and the line of
// --status-fd, and the fields of --json.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "cli/session/if_busy.h"
#include "run/lock/under_lock.h"
#include "supervise/verdict.h"

namespace holdfast::cli {

inline constexpr std::array kLockCommandOptions{
    kFailOpenOption,
    kIfBusyOption,
    OptionSpec{.name = "command",
               .letter = 'c',
               .kind = OptionKind::kText,
               .value = "LINE",
               .help = "run LINE with the shell, instead of a command in words"},
    OptionSpec{.name = "exclusive", .letter = 'x', .help = "alone (default)", .excludes = "shared"},
    OptionSpec{.name = "busy-code",
               .letter = 'E',
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "exit with N (0 to 255) instead of 75 if the lock is busy"},
    OptionSpec{.name = "on-lost",
               .kind = OptionKind::kChoice,
               .value = "term|notify|ignore",
               .help = "when the lease is lost while the command runs: end it and all that it "
                       "started (`term`, default), say so on stderr, or only record it"},
    OptionSpec{.name = "grace",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "the time between TERM and KILL then, at most a sixth of the ttl (default "
                       "that, or 5s)"},
    OptionSpec{.name = "wait-descendants",
               .help = "hold the lock until everything that the command started has ended"},
    OptionSpec{.name = "status-fd",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "report on descriptor N (3 or more), as JSON, whether the exit code is "
                       "holdfast's or the command's"},
};

inline constexpr std::string_view kLockDescription =
    "Gets the lock, runs the command under it, without a shell, and gives it back when the command "
    "ends. Its exit code passes through; if it dies of signal n, the code is 128+n. It "
    "waits for up to 10 seconds; -w changes that, and `-w forever` must be typed out. With "
    "--if-busy skip it does not wait unless -w is given; if the lock is taken, it exits with 0, "
    "records `lock.skipped` first, and with -q prints nothing, which suits cron.\n\n"
    "With --slots N up to N commands run under NAME at once. Each holds a lock of its own, "
    "NAME/1ofN "
    "to NAME/NofN, which HOLDFAST_LOCK names and `holdfast locks` shows. Every caller must name "
    "the "
    "same N: another one is refused (64) while a slot is held. A plain lock of NAME is another "
    "lock. With --stagger D two starts are at least D apart, whichever slots they get: a start "
    "that "
    "comes too soon holds its slot and sleeps.\n\n"
    "NAME is a lock in the home. A NAME that begins with `/`, `./` or `../` is the path of a file "
    "or "
    "directory, and exactly that is flocked, as flock(1) does: programs that flock it are "
    "excluded, "
    "also those of other users. The file is created where it is missing, and nothing is written "
    "into "
    "it. --file is the lock of a file that is changed: `.NAME.lock` beside it is flocked, so that "
    "shell, Python and C programs that flock it and holdfast exclude each other.\n\n"
    "The lock lives as long as the command. A killed holdfast does not free it while the command "
    "runs; when both are gone it is free at once, and no number of a process that was given to "
    "another keeps it. What the command leaves behind keeps nothing, unless --wait-descendants is "
    "given; but a `holdfast run` whose front end was killed keeps the lock until its command has "
    "ended. An inner `holdfast lock` of a lock that an outer one holds goes through.\n\n"
    "With --ttl it is a lease. It is renewed every third of the ttl, and bounds silence, not work: "
    "a holder that is stopped or hangs past it may lose the lock to a contender with --on-expired, "
    "as far as --yields allows. A holder that cannot renew for two thirds of the ttl takes itself "
    "for lost and acts by --on-lost before the lease ends; the code is then 76 in any case. If "
    "holdfast itself is killed, nobody renews: the command runs on, and its late `holdfast write` "
    "and `update` are refused once another has the lock.\n\n"
    "The command gets HOLDFAST_LOCK, HOLDFAST_TOKEN, HOLDFAST_FENCE, HOLDFAST_CHAIN, "
    "HOLDFAST_HELD=1 and, with a lease, HOLDFAST_DEADLINE, and keeps the descriptor of the "
    "lock.\n\n"
    "With --fail-open the command runs without the lock, with HOLDFAST_HELD=0, if acquiring it "
    "fails for one of the listed reasons. The event `lock.fail_open` is on stable storage before "
    "it "
    "starts; where it cannot be recorded, the command does not run.";

// --busy-code. Errors: kUsage.
Result<std::optional<int>> busy_code_value(const Args& args);
// Errors: kUsage; of the environment's chain.
Result<run::LockRunRequest> lock_run_request(const Context& context, const Args& args);

// In this order, the first that holds: the command did not run (busy_code for 75, where given);
// what supervise/verdict.h puts before the command's own end; the lock was lost meanwhile (76); the
// command's own code. The verdict's reason points into the answer.
supervise::Verdict verdict_of(const run::LockRunResult& answer, std::optional<int> busy_code);

// --if-busy skip, of an answer that is_busy(): on record first, then it is no error and the code 0.
// Errors: it could not be recorded; nothing was changed.
Result<> skip_lock(Context& context, run::LockRunResult& answer, supervise::Verdict& verdict);

Json lock_fields(const run::LockRunResult& answer, const supervise::Verdict& verdict);

// What the frame is to show; nothing where nothing went wrong.
std::optional<Error> lock_error(const run::LockRunResult& answer, const supervise::Verdict& verdict,
                                const std::string& command);

}  // namespace holdfast::cli
