// SPDX-License-Identifier: Apache-2.0
//
// Whom the lock of `acquire` is bound to.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/args.h"
#include "cli/command.h"
#include "os/pid.h"
#include "proc/identity.h"

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
// The process that is meant, pinned. nullopt: `none`. Errors: kUsage, and of proc/owner.h.
Result<std::optional<proc::Pinned>> owner_option(const Args& args);
// How often the keeper renews, with --auto-renew.
std::optional<Duration> renewal_option(const Args& args);

// The command line of a process, for people; empty where it cannot be read.
std::string command_of(os::Pid pid);

}  // namespace holdfast::cli
