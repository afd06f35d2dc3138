// SPDX-License-Identifier: Apache-2.0
//
// Random bits from the kernel, for tokens and names that nobody may guess or repeat.
#pragma once

#include "base/id128.h"
#include "base/result.h"

namespace holdfast::os {

// Fails only where the system gives no randomness at all; there is no weaker fallback.
Result<Id128> random_id();

// As random_id, but drawn from the kernel in blocks of sixteen: the
// call costs as much as a lock in the kernel, and a token is needed for each grant.
//
// Guarantee: no token is given out twice, to no two threads and no two processes: each thread has a
// block of its own, and a process that was made by fork throws its parent's away.
//
// Limit: a virtual machine that is copied while it runs has the same rest of a block twice. Errors:
// as random_id. Windows: each one is drawn.
Result<Id128> random_token();

// The next token of this thread asks the kernel. For sweeps, which need the same calls each time.
void forget_random_block();

}  // namespace holdfast::os
