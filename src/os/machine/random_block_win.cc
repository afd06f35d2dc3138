// SPDX-License-Identifier: Apache-2.0
#include "os/machine/random_block.h"

#include "os/machine/random.h"

namespace holdfast::os {

// Each one is drawn: BCryptGenRandom keeps a pool in this process and costs no call of the kernel.
Result<Id128> random_token() { return random_id(); }

void forget_random_block() {}

}  // namespace holdfast::os
