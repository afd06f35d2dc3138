// SPDX-License-Identifier: Apache-2.0
//
// The length of a clock tick, in which /proc gives the start times of processes. It is the kernel's
// word to user space (mostly 10 ms) and not the rate of its timer.
// Windows: 100 ns, in which its start times are told (os/process/process_list.h).
#pragma once

#include "base/clock.h"

namespace holdfast::os {

Duration clock_tick();

}  // namespace holdfast::os
