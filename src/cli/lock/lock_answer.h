// SPDX-License-Identifier: Apache-2.0
//
// How the outcome of `lock` is said: the verdict behind the exit code and the line of --status-fd,
// and the fields of --json. Pure.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "cli/frame/context.h"
#include "run/lock/under_lock.h"
#include "supervise/verdict.h"

namespace holdfast::cli {

// In this order, the first that holds: the command did not run (busy_code for 75, where given);
// what supervise/verdict.h puts before the command's own end; the lock was lost meanwhile (76); the
// command's own code. The verdict's reason points into the answer.
supervise::Verdict verdict_of(const run::LockRunResult& answer, std::optional<int> busy_code);

Json lock_fields(const run::LockRunResult& answer, const supervise::Verdict& verdict);

// What the frame is to show; nothing where nothing went wrong.
std::optional<Error> lock_error(const run::LockRunResult& answer, const supervise::Verdict& verdict,
                                const std::string& command);

}  // namespace holdfast::cli
