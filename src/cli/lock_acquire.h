// SPDX-License-Identifier: Apache-2.0
//
// What `acquire` says about its attempt.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/context.h"
#include "lock/backend.h"
#include "proc/identity.h"

namespace holdfast::cli {

// The answer of an attempt that was not granted: the holder in the document, and the Error; for
// survivors their own code. `owner` may be null.
Result<int> not_acquired(Context& context, const std::string& label,
                         const lock::AcquireOutcome& outcome, const proc::Identity* owner);

// A held lock. `owner` may be null.
Json acquired_json(const lock::Lock& lock, const lock::AcquireOutcome& outcome,
                   const proc::Identity* owner, const Clock& clock);

// A grant that was no fresh one is worth a line.
void note_how(Context& context, const lock::AcquireOutcome& outcome);

}  // namespace holdfast::cli
