// SPDX-License-Identifier: Apache-2.0
//
// Windows runs a console control handler in a thread of its own and ends the process when the
// handlers have answered; nothing holds that back for a few steps of another thread.
#include "os/signal/signal_hold.h"

namespace holdfast::os {

struct SignalHold::Mask {};

SignalHold::SignalHold() = default;
SignalHold::~SignalHold() = default;

}  // namespace holdfast::os
