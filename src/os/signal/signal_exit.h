// SPDX-License-Identifier: Apache-2.0
//
// exit_at_signals: from here on TERM, HUP, INT and QUIT do not kill this process: it says `message`
// on stderr and exits with `code`, at once and wherever it is, as by _exit. For a guard whose host
// takes any other code for permission.
//
// Limits: a signal that is ignored stays ignored; whoever reads signals as input (os/signal/signals.h,
// os/signal/signal_flag.h) gets them first. A program that this process becomes or starts has the default
// again. `message` must outlive the process. Windows: nothing changes.
#pragma once

#include <string_view>

namespace holdfast::os {

void exit_at_signals(int code, std::string_view message);

}  // namespace holdfast::os
