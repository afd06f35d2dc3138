// SPDX-License-Identifier: Apache-2.0
//
// Whom the lock of `acquire` is bound to.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "format/lock/lock_chain.h"
#include "os/process/pid.h"
#include "proc/identity/identity.h"

namespace holdfast::cli {

inline constexpr std::array kOwnerOptions{
    OptionSpec{.name = "owner",
               .kind = OptionKind::kText,
               .value = "PID|none",
               .help = "the process with whose end the lock is free (default: the calling shell or "
                       "program); `none`, with --ttl: nobody, only the lease ends it"},
    OptionSpec{.name = "auto-renew",
               .help = "with --ttl: renew the lease as long as the owner lives; it then bounds "
                       "only what happens if the machine stops"},
};

// Errors: kUsage, for what does not go together.
Result<> check_owner_options(const Args& args);
// The process that is meant, pinned. nullopt: `none`. Errors: kUsage, and of proc/identity/caller.h. kUsage
// `owner-outside`: this is called inside a run (HOLDFAST_RUN), and the process is not in it. The
// run would end the keeper (lock/grant/keeper.h), which is in its tree, while the owner goes on.
Result<std::optional<proc::Pinned>> owner_option(const Args& args);
// HOLDFAST_CHAIN, without the lock at `ledger` if a hold of it would be entered again for an owner
// that does not run under it, or for none: that hold would end, and its owner go on (rule L9a).
// Where environments cannot be read (Windows), a named owner is believed to run under it.
Result<LockChain> chain_for_owner(const Args& args, const std::optional<proc::Pinned>& owner,
                                  const std::string& ledger);
// How often the keeper renews, with --auto-renew.
std::optional<Duration> renewal_option(const Args& args);

}  // namespace holdfast::cli
