// SPDX-License-Identifier: Apache-2.0
//
// What the console sends to this process; for src/os/*/*_win.cc only. One handler for the process, in
// signals_win.cc; signals.h and signal_flag.h say what others see of it.
#pragma once

#include <functional>

#include "base/result.h"

namespace holdfast::os {

// From now on what asks to end goes to `listener`, in a thread of the system's, beside the inboxes
// that are open. One at a time; an empty one ends it.
Result<> set_end_listener(std::function<void()> listener);

}  // namespace holdfast::os
