// SPDX-License-Identifier: Apache-2.0
//
// What the commands of locks share: which lock is meant, and the options of a wait and of a lease.
//
//   const lock::LockId id = HF_TRY(lock_id(args));           // NAME, --file or --path
//   auto* locks = HF_TRY(context.runtime().locks(any_file_system(args)));
//   auto lock = HF_TRY(locks->open(id));
//   …
//   flush_events(context);                                   // at the end
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "lock/grant/local_lock.h"
#include "run/lock/fail_open.h"

namespace holdfast::cli {

inline constexpr ArgumentSpec kLockNameArgument{
    .name = "NAME",
    .help =
        "the name of the lock, or, if it begins with `/`, `./` or `../`, the path of the file "
        "or directory to lock itself; with --file and --path there is none",
    .arity = Arity::kOptional,
    .unless = "file|path"};
inline constexpr OptionSpec kLockFileOption{
    .name = "file",
    .kind = OptionKind::kPath,
    .value = "PATH",
    .help =
        "the lock of this file instead of a named one; programs that flock `.NAME.lock` beside "
        "it are excluded too"};
inline constexpr OptionSpec kLockPathOption{
    .name = "path",
    .kind = OptionKind::kPath,
    .value = "FILE",
    .help =
        "lock exactly this file or directory, as `flock FILE` does; the same as a NAME that is "
        "a path",
    .excludes = "file"};
inline constexpr OptionSpec kAllowFsOption{
    .name = "allow-fs",
    .help = "accept a file system whose locks may not hold between machines (NFS, SMB, FUSE, …)"};

// From kLockFileOption, kLockPathOption and kLockNameArgument. Errors: kUsage: none of them, or
// two; of format/text/name_escape.h.
Result<lock::LockId> lock_id(const Args& args);
// A note if NAME is not a path, and a file is called so here that looks like a lock: who is used to
// flock(1) means that file, and the lock of the name keeps no user of it out.
void note_file_of_that_name(Context& context, const lock::LockId& id);
// From kAllowFsOption.
lock::AnyFileSystem any_file_system(const Args& args);

inline constexpr OptionSpec kSlotsOption{
    .name = "slots",
    .kind = OptionKind::kInteger,
    .value = "N",
    .help = "one of N slots of NAME: up to N hold one at once; every caller names the same N"};
inline constexpr OptionSpec kStaggerOption{
    .name = "stagger",
    .kind = OptionKind::kDuration,
    .value = "D",
    .help = "with --slots: at least D between two starts, of any slot",
    .needs = "slots"};
// From kSlotsOption; 0 where it was not typed. Errors: kUsage.
Result<std::uint32_t> slots_value(const Args& args, const lock::LockId& id);

// The options of a wait and of a lease; `acquire` and `lock` declare all of them.
inline constexpr std::array kAcquireOptions{
    kSlotsOption,
    kStaggerOption,
    OptionSpec{.name = "no-wait", .letter = 'n', .help = "do not wait; the same as `-w 0`"},
    OptionSpec{.name = "wait",
               .letter = 'w',
               .kind = OptionKind::kText,
               .value = "D|forever",
               .help = "how long to wait for it (default 10s)"},
    OptionSpec{.name = "shared", .letter = 's', .help = "together with other readers"},
    OptionSpec{.name = "ttl",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "a lease: if its holder is not heard of for D, time asleep included, others "
                       "may take the lock"},
    OptionSpec{.name = "on-expired",
               .kind = OptionKind::kChoice,
               .value = "wait|take|kill|replace",
               .help = "what to do when the holder's lease has run out: `wait` (default), `take` "
                       "the lock, `kill` the holder's command first (`lock` and `run` only), or "
                       "`replace` the lock file (--file only); as far as the holder yields"},
    OptionSpec{.name = "presume-dead",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "with --file: take a holder that is not holdfast's for dead after it was "
                       "seen to hold the lock for D"},
    OptionSpec{
        .name = "trust",
        .kind = OptionKind::kChoice,
        .value = "proof|kernel",
        .help = "`kernel`: if nobody can tell whether the recorded holder lives (it ran in another "
                "container), let the free lock of the kernel decide, on record first; "
                "HOLDFAST_TRUST=kernel does the same for every command"},
    OptionSpec{.name = "yields",
               .kind = OptionKind::kChoice,
               .value = "wait|take|kill",
               .help = "how far others may go when this lease has run out (default take)"},
    kAllowFsOption,
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "what it is held for, shown to others"},
    kLockFileOption,
    kLockPathOption,
};
// From kAcquireOptions: mode, wait, ttl, yields, on_expired, presume_dead, reason. The rest is the
// caller's. Errors: kUsage.
Result<lock::AcquireRequest> acquire_request(const Args& args, const lock::LockId& id);

// Writes the events that were put off; a warning where that fails.
void flush_events(Context& context);

// --fail-open (run/lock/fail_open.h).
inline constexpr OptionSpec kFailOpenOption{
    .name = "fail-open",
    .kind = OptionKind::kText,
    .value = "REASON[,REASON…]",
    .help =
        "go on without the lock, on record, if acquiring it fails for one of these "
        "reasons: timeout, guard-timeout, unknown (cannot tell, 69), eacces, erofs, enospc, eio, "
        "emfile, enolck, unsupported-fs, backend-down, or any"};

// From kFailOpenOption. Errors: kUsage: an unknown word.
Result<run::FailOpenReasons> fail_open_reasons(const Args& args);

}  // namespace holdfast::cli
