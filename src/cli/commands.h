// SPDX-License-Identifier: Apache-2.0
//
// The commands of holdfast. Each is defined in its own cmd_NAME.cc and declared here; commands.cc
// holds the sorted table, whose order the compiler checks. command.h says how to add one.
#pragma once

#include "cli/command_table.h"

namespace holdfast::cli {

extern const CommandSpec kDoctorCommand;
extern const CommandSpec kHelpCommand;
extern const CommandSpec kJournalAnchorCommand;
extern const CommandSpec kJournalAppendCommand;
extern const CommandSpec kJournalCountCommand;
extern const CommandSpec kJournalExportCommand;
extern const CommandSpec kJournalFollowCommand;
extern const CommandSpec kJournalQueryCommand;
extern const CommandSpec kJournalRepairCommand;
extern const CommandSpec kJournalRotateCommand;
extern const CommandSpec kJournalVerifyCommand;
extern const CommandSpec kMetricsCommand;
extern const CommandSpec kRunCommand;

CommandTable commands();

}  // namespace holdfast::cli
