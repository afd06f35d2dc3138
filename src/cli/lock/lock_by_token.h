// SPDX-License-Identifier: Apache-2.0
//
// What the commands share that work on a lock from outside (renew, check, release, break): finding
// it without making anything, the token, and what a refusal says.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "lock/grant/by_token.h"
#include "lock/ledger/place.h"
#include "run/lock/token_answer.h"

namespace holdfast::cli {

inline constexpr OptionSpec kTokenOption{
    .name = "token",
    .kind = OptionKind::kText,
    .value = "TOKEN",
    .help =
        "the token that `acquire` printed; `@FILE` reads it from a file, `-` from stdin. "
        "Without it, from HOLDFAST_CHAIN or HOLDFAST_TOKEN"};

// A lock that may not exist. The file system it lies on was the concern of whoever acquired it.
struct FoundLock {
  EventSink* events = nullptr;       // null: there is no home, or no lock in it
  std::optional<lock::Place> place;  // none: there is no such lock
  std::string label;
};
// From kLockNameArgument, kLockFileOption and kLockPathOption. Makes nothing.
Result<FoundLock> find_lock(const Context& context, const Args& args);

// The same for who shows a token: with kSlotsOption the slot of NAME that the token holds, or the
// first one where it holds none.
Result<FoundLock> find_lock_of_token(const Context& context, const Args& args);

// The value of a --token: itself, `@FILE` or `-`. Errors: kUsage `bad-token`; those of reading.
Result<Id128> typed_token(const std::string& typed);

// Of HOLDFAST_TOKEN, if HOLDFAST_LOCK names the lock `label`. Errors: kUsage `bad-token`.
Result<std::optional<Id128>> token_of_environment(const std::string& label);
// From kTokenOption; else the entry of HOLDFAST_CHAIN for this very lock; else HOLDFAST_TOKEN,
// where HOLDFAST_LOCK names this lock or is not set. Errors: kUsage `no-token`, `bad-token`.
Result<Id128> token_for(const Args& args, const FoundLock& lock);

using run::no_ledger;
using run::no_such_lock;
using run::require_done;
using run::require_standing;
using run::token_json;

}  // namespace holdfast::cli
