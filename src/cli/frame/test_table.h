// SPDX-License-Identifier: Apache-2.0
//
// A table of made-up commands for tests of the frame: every kind of option and argument, a group of
// two, one that fails, one that wraps a command.
#pragma once

#include "cli/frame/command_table.h"

namespace holdfast::cli {

extern const CommandSpec kProbeCommand;  // every kind of option; prints what it got
CommandTable test_table();

}  // namespace holdfast::cli
