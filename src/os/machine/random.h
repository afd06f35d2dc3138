// SPDX-License-Identifier: Apache-2.0
//
// Random bits from the kernel, for tokens and names that nobody may guess or repeat.
#pragma once

#include "base/id128.h"
#include "base/result.h"

namespace holdfast::os {

// Fails only where the system gives no randomness at all; there is no weaker fallback.
Result<Id128> random_id();

}  // namespace holdfast::os
