// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signal_exit.h"

namespace holdfast::os {

void exit_at_signals(int /*code*/, std::string_view /*message*/) {}

}  // namespace holdfast::os
