// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/commands.h"

#include <array>

#include "cli/loop/loop_manual.h"

namespace holdfast::cli {
namespace {

constexpr std::array kCommands{
    CommandEntry{"acquire", Section::kLocks, &kAcquireCommand},
    CommandEntry{"adopt", Section::kRun, &kAdoptCommand},
    CommandEntry{"alive", Section::kProcesses, &kAliveCommand},
    CommandEntry{"attempt", Section::kLoops, &kAttemptCommand},
    CommandEntry{"block check", Section::kFiles, &kBlockCheckCommand},
    CommandEntry{"block get", Section::kFiles, &kBlockGetCommand},
    CommandEntry{"block list", Section::kFiles, &kBlockListCommand},
    CommandEntry{"block put", Section::kFiles, &kBlockPutCommand},
    CommandEntry{"block remove", Section::kFiles, &kBlockRemoveCommand},
    CommandEntry{"block strip-orphans", Section::kFiles, &kBlockStripOrphansCommand},
    CommandEntry{"break", Section::kLocks, &kBreakCommand},
    CommandEntry{"check", Section::kLocks, &kCheckCommand},
    CommandEntry{"doctor", Section::kRecord, &kDoctorCommand},
    CommandEntry{"ensure", Section::kFiles, &kEnsureCommand},
    CommandEntry{"gc", Section::kRun, &kGcCommand},
    CommandEntry{"help", Section::kManual, &kHelpCommand},
    CommandEntry{"history", Section::kRun, &kHistoryCommand},
    CommandEntry{"identify", Section::kProcesses, &kIdentifyCommand},
    CommandEntry{"journal anchor", Section::kRecord, &kJournalAnchorCommand},
    CommandEntry{"journal append", Section::kRecord, &kJournalAppendCommand},
    CommandEntry{"journal count", Section::kRecord, &kJournalCountCommand},
    CommandEntry{"journal export", Section::kRecord, &kJournalExportCommand},
    CommandEntry{"journal follow", Section::kRecord, &kJournalFollowCommand},
    CommandEntry{"journal query", Section::kRecord, &kJournalQueryCommand},
    CommandEntry{"journal repair", Section::kRecord, &kJournalRepairCommand},
    CommandEntry{"journal rotate", Section::kRecord, &kJournalRotateCommand},
    CommandEntry{"journal verify", Section::kRecord, &kJournalVerifyCommand},
    CommandEntry{"kill", Section::kProcesses, &kKillCommand},
    CommandEntry{"layers", Section::kFiles, &kLayersCommand},
    CommandEntry{"ledger append", Section::kFiles, &kLedgerAppendCommand},
    CommandEntry{"ledger check", Section::kFiles, &kLedgerCheckCommand},
    CommandEntry{"ledger last", Section::kFiles, &kLedgerLastCommand},
    CommandEntry{"ledger repair", Section::kFiles, &kLedgerRepairCommand},
    CommandEntry{"lock", Section::kLocks, &kLockCommand},
    CommandEntry{"locks", Section::kLocks, &kLocksCommand},
    CommandEntry{"logs", Section::kRun, &kLogsCommand},
    CommandEntry{"loop", Section::kLoops, &kLoopCommand},
    CommandEntry{"loop done", Section::kLoops, &kLoopDoneCommand},
    CommandEntry{"loop pause", Section::kLoops, &kLoopPauseCommand},
    CommandEntry{"loop resume", Section::kLoops, &kLoopResumeCommand},
    CommandEntry{"loop retry", Section::kLoops, &kLoopRetryCommand},
    CommandEntry{"loop status", Section::kLoops, &kLoopStatusCommand},
    CommandEntry{"metrics", Section::kRecord, &kMetricsCommand},
    CommandEntry{"notify", Section::kLoops, &kNotifyCommand},
    CommandEntry{"once", Section::kLoops, &kOnceCommand},
    CommandEntry{"profile check", Section::kRun, &kProfileCheckCommand},
    CommandEntry{"ps", Section::kRun, &kPsCommand},
    CommandEntry{"release", Section::kLocks, &kReleaseCommand},
    CommandEntry{"renew", Section::kLocks, &kRenewCommand},
    CommandEntry{"resume", Section::kRun, &kResumeCommand},
    CommandEntry{"run", Section::kRun, &kRunCommand},
    CommandEntry{"show", Section::kRun, &kShowCommand},
    CommandEntry{"step forget", Section::kLoops, &kStepForgetCommand},
    CommandEntry{"step list", Section::kLoops, &kStepListCommand},
    CommandEntry{"step show", Section::kLoops, &kStepShowCommand},
    CommandEntry{"stop", Section::kRun, &kStopCommand},
    CommandEntry{"tick", Section::kLoops, &kTickCommand},
    CommandEntry{"trash list", Section::kRun, &kTrashListCommand},
    CommandEntry{"trash purge", Section::kRun, &kTrashPurgeCommand},
    CommandEntry{"trash restore", Section::kRun, &kTrashRestoreCommand},
    CommandEntry{"until", Section::kLoops, &kUntilCommand},
    CommandEntry{"update", Section::kFiles, &kUpdateCommand},
    CommandEntry{"wait", Section::kRun, &kWaitCommand},
    CommandEntry{"workspace attach", Section::kRun, &kWorkspaceAttachCommand},
    CommandEntry{"workspace detach", Section::kRun, &kWorkspaceDetachCommand},
    CommandEntry{"workspace end", Section::kRun, &kWorkspaceEndCommand},
    CommandEntry{"workspace forget", Section::kRun, &kWorkspaceForgetCommand},
    CommandEntry{"workspace get", Section::kRun, &kWorkspaceGetCommand},
    CommandEntry{"workspace list", Section::kRun, &kWorkspaceListCommand},
    CommandEntry{"workspace new", Section::kRun, &kWorkspaceNewCommand},
    CommandEntry{"workspace resume", Section::kRun, &kWorkspaceResumeCommand},
    CommandEntry{"workspace set", Section::kRun, &kWorkspaceSetCommand},
    CommandEntry{"write", Section::kFiles, &kWriteCommand},
};
static_assert(strictly_rising(kCommands, &CommandEntry::name), "sort kCommands by name");

constexpr std::array kGroups{
    GroupEntry{"block", "marked blocks inside a shared text file", &managed_block_manual},
    GroupEntry{"journal", "the record of what happened", &journal_manual},
    GroupEntry{"ledger", "a bounded history of JSON objects in one file", &ledger_manual},
    GroupEntry{"loop", "items that a loop works through", &loop_manual},
    GroupEntry{"profile", "how a session is run, written down", &profile_manual},
    GroupEntry{"step", "what is known of once, attempt, notify and tick"},
    GroupEntry{"trash", "workspaces and sessions that gc has removed", &trash_manual},
    GroupEntry{"workspace", "directories of a harness that starts its own processes",
               &workspace_manual},
};
static_assert(strictly_rising(kGroups, &GroupEntry::word), "sort kGroups by word");

constexpr std::array kMoved{
    MovedCommand{"attempt forget", "step forget"},
    MovedCommand{"attempt list", "step list"},
    MovedCommand{"attempt show", "step show"},
    MovedCommand{"notify forget", "step forget"},
    MovedCommand{"notify list", "step list"},
    MovedCommand{"notify show", "step show"},
    MovedCommand{"once forget", "step forget"},
    MovedCommand{"once list", "step list"},
    MovedCommand{"once show", "step show"},
    MovedCommand{"session", "workspace"},
    MovedCommand{"session attach", "workspace attach"},
    MovedCommand{"session detach", "workspace detach"},
    MovedCommand{"session end", "workspace end"},
    MovedCommand{"session forget", "workspace forget"},
    MovedCommand{"session get", "workspace get"},
    MovedCommand{"session list", "workspace list"},
    MovedCommand{"session new", "workspace new"},
    MovedCommand{"session resume", "workspace resume"},
    MovedCommand{"session set", "workspace set"},
    MovedCommand{"tick forget", "step forget"},
    MovedCommand{"tick list", "step list"},
    MovedCommand{"tick show", "step show"},
};

}  // namespace

CommandTable commands() { return {.commands = kCommands, .groups = kGroups, .moved = kMoved}; }

}  // namespace holdfast::cli
