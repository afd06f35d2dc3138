// SPDX-License-Identifier: Apache-2.0
#include "os/machine/clock_tick.h"

namespace holdfast::os {

// In which start times are told (process_list.h), whatever the pace of the clock behind them.
Duration clock_tick() { return std::chrono::nanoseconds(100); }

}  // namespace holdfast::os
