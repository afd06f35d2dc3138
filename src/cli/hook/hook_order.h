// SPDX-License-Identifier: Apache-2.0
//
// --hook and --hook-allow: what holdfast is to say to the host of an agent's hook. Such a host
// knows three answers: 0 lets the agent go on, 2 blocks it and shows it what is on stderr, and
// anything else is a broken hook, which most hosts pass over in silence.
//
// No answer is allowed by default, and there is no word for all of them; a wrong command line and
// an internal fault are never.
#pragma once

#include <string_view>
#include <vector>

#include "base/exit_code.h"
#include "base/result.h"
#include "cli/frame/command.h"

namespace holdfast::cli {

inline constexpr OptionSpec kHookOption{
    .name = "hook",
    .help =
        "for hooks of agents: on record first; exit with 2 in place of any answer of "
        "holdfast's own but 0, with the reason on stderr"};
inline constexpr OptionSpec kHookAllowOption{
    .name = "hook-allow",
    .kind = OptionKind::kText,
    .value = "ANSWER[,ANSWER…]",
    .help =
        "as --hook, but exit with 0, on record, where the answer is one of these, such as "
        "busy,deadline (see `holdfast help hooks`)"};

struct HookOrder {
  bool on = false;
  std::vector<ExitCode> allow{};
};

// The words of --hook-allow: the names of exit codes. Errors: kUsage for any other.
Result<std::vector<ExitCode>> hook_allow_value(std::string_view text);

// The name of a code; empty of one that is none of holdfast's.
std::string_view answer_name(int code);

// Is it an answer that can be allowed?
bool can_be_allowed(ExitCode code);

}  // namespace holdfast::cli
