// SPDX-License-Identifier: Apache-2.0
//
// What `acquire` says about its attempt.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "lock/grant/backend.h"
#include "proc/identity/identity.h"

namespace holdfast::cli {

// The answer of an attempt that was not granted: the holder in the document, and the Error; for
// survivors their own code. `owner` may be null.
Result<int> not_acquired(Context& context, const std::string& label,
                         const lock::AcquireOutcome& outcome, const proc::Identity* owner);

// A held lock. `owner` may be null.
Json acquired_json(const lock::Lock& lock, const lock::AcquireOutcome& outcome,
                   const proc::Identity* owner, const Clock& clock);

Result<bool> is_keeper(const Context& context, const Args& args, const Clock& clock);

// What an attempt of `acquire` was made with, as far as it came.
struct Trying {
  std::string label;
  std::unique_ptr<lock::LocalLock> lock{};
  lock::AcquireOutcome outcome{};
};
Result<> try_to_acquire(Context& context, const Args& args, const lock::LockId& id,
                        const Clock& clock, const std::optional<proc::Pinned>& owner,
                        lock::AcquireRequest& request, Trying& tried);

// Without the lock, on record first; nothing if --fail-open does not name `reason`.
Result<std::optional<int>> go_on_without(Context& context, const Args& args, Trying& tried,
                                         std::optional<std::string_view> reason);

// The token is handed out before the lock is left to its keeper: where nobody can read it, the lock
// does not stay held.
Result<> hand_out(Context& context, lock::LocalLock& lock, const Args& args,
                  std::optional<proc::Pinned> owner);

// A grant that was no fresh one is worth a line.
void note_how(Context& context, const lock::AcquireOutcome& outcome);

}  // namespace holdfast::cli
