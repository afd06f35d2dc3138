// SPDX-License-Identifier: Apache-2.0
//
// The commands of holdfast. Each is defined in its own cmd_NAME.cc and declared here; commands.cc
// holds the sorted table, whose order the compiler checks. command.h says how to add one.
#pragma once

#include <vector>

#include "cli/frame/command_table.h"

namespace holdfast::cli {

extern const CommandSpec kAcquireCommand;
extern const CommandSpec kAdoptCommand;
extern const CommandSpec kAliveCommand;
extern const CommandSpec kAttemptCommand;
extern const CommandSpec kBlockCheckCommand;
extern const CommandSpec kBlockGetCommand;
extern const CommandSpec kBlockListCommand;
extern const CommandSpec kBlockPutCommand;
extern const CommandSpec kBlockRemoveCommand;
extern const CommandSpec kBlockStripOrphansCommand;
extern const CommandSpec kBreakCommand;
extern const CommandSpec kCheckCommand;
extern const CommandSpec kDoctorCommand;
extern const CommandSpec kEnsureCommand;
extern const CommandSpec kGcCommand;
extern const CommandSpec kHelpCommand;
extern const CommandSpec kHistoryCommand;
extern const CommandSpec kIdentifyCommand;
extern const CommandSpec kJournalAnchorCommand;
extern const CommandSpec kJournalAppendCommand;
extern const CommandSpec kJournalCountCommand;
extern const CommandSpec kJournalExportCommand;
extern const CommandSpec kJournalFollowCommand;
extern const CommandSpec kJournalQueryCommand;
extern const CommandSpec kJournalRepairCommand;
extern const CommandSpec kJournalRotateCommand;
extern const CommandSpec kJournalVerifyCommand;
extern const CommandSpec kKillCommand;
extern const CommandSpec kLayersCommand;
extern const CommandSpec kLedgerAppendCommand;
extern const CommandSpec kLedgerCheckCommand;
extern const CommandSpec kLedgerLastCommand;
extern const CommandSpec kLedgerRepairCommand;
extern const CommandSpec kLockCommand;
extern const CommandSpec kLocksCommand;
extern const CommandSpec kLogsCommand;
extern const CommandSpec kLoopCommand;
extern const CommandSpec kLoopDoneCommand;
extern const CommandSpec kLoopPauseCommand;
extern const CommandSpec kLoopResumeCommand;
extern const CommandSpec kLoopRetryCommand;
extern const CommandSpec kLoopStatusCommand;
extern const CommandSpec kMetricsCommand;
extern const CommandSpec kNamesCommand;  // hidden
extern const CommandSpec kNotifyCommand;
extern const CommandSpec kOnceCommand;
extern const CommandSpec kProfileCheckCommand;
extern const CommandSpec kPsCommand;
extern const CommandSpec kReleaseCommand;
extern const CommandSpec kRenewCommand;
extern const CommandSpec kResumeCommand;
extern const CommandSpec kRunCommand;
extern const CommandSpec kShowCommand;
extern const CommandSpec kStepForgetCommand;
extern const CommandSpec kStepListCommand;
extern const CommandSpec kStepShowCommand;
extern const CommandSpec kStopCommand;
extern const CommandSpec kTrashListCommand;
extern const CommandSpec kTrashPurgeCommand;
extern const CommandSpec kTrashRestoreCommand;
extern const CommandSpec kUntilCommand;
extern const CommandSpec kUpdateCommand;
extern const CommandSpec kWaitCommand;
extern const CommandSpec kWorkspaceAttachCommand;
extern const CommandSpec kWorkspaceDetachCommand;
extern const CommandSpec kWorkspaceEndCommand;
extern const CommandSpec kWorkspaceForgetCommand;
extern const CommandSpec kWorkspaceGetCommand;
extern const CommandSpec kWorkspaceListCommand;
extern const CommandSpec kWorkspaceNewCommand;
extern const CommandSpec kWorkspaceResumeCommand;
extern const CommandSpec kWorkspaceSetCommand;
extern const CommandSpec kWriteCommand;

// What the page of a group says behind the list of its commands.
std::vector<Block> journal_manual();
std::vector<Block> ledger_manual();
std::vector<Block> managed_block_manual();  // `block`
std::vector<Block> profile_manual();
std::vector<Block> trash_manual();
std::vector<Block> workspace_manual();

CommandTable commands();

}  // namespace holdfast::cli
