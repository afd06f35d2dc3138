// SPDX-License-Identifier: Apache-2.0
//
// A pause of the calling thread, for waits that have no event to wait for. It may end early (a
// signal); whoever waits for a condition looks again.
#pragma once

#include "base/clock.h"

namespace holdfast::os {

void pause(Duration duration);

}  // namespace holdfast::os
