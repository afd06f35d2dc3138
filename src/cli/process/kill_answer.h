// SPDX-License-Identifier: Apache-2.0
//
// How the report of a kill is shown, and its exit code.
#pragma once

#include "base/result.h"
#include "cli/frame/context.h"
#include "proc/kill/kill.h"

namespace holdfast::cli {

ExitCode exit_of(proc::KillOutcome outcome);

// What is missing where a pid file proves too little, by its evidence; empty for other words.
std::string missing_evidence(std::string_view evidence);

// Emits, notes and warns. Returns the code, or the Error that has it.
Result<int> answer_kill(Context& context, std::int32_t pid, const proc::KillReport& report);

}  // namespace holdfast::cli
