// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include <array>

#include "cli/journal_manual.h"

namespace holdfast::cli {
namespace {

constexpr std::array kCommands{
    CommandEntry{"doctor", Section::kRecord, &kDoctorCommand},
    CommandEntry{"help", Section::kManual, &kHelpCommand},
    CommandEntry{"journal anchor", Section::kRecord, &kJournalAnchorCommand},
    CommandEntry{"journal append", Section::kRecord, &kJournalAppendCommand},
    CommandEntry{"journal count", Section::kRecord, &kJournalCountCommand},
    CommandEntry{"journal export", Section::kRecord, &kJournalExportCommand},
    CommandEntry{"journal follow", Section::kRecord, &kJournalFollowCommand},
    CommandEntry{"journal query", Section::kRecord, &kJournalQueryCommand},
    CommandEntry{"journal repair", Section::kRecord, &kJournalRepairCommand},
    CommandEntry{"journal rotate", Section::kRecord, &kJournalRotateCommand},
    CommandEntry{"journal verify", Section::kRecord, &kJournalVerifyCommand},
    CommandEntry{"metrics", Section::kRecord, &kMetricsCommand},
    CommandEntry{"run", Section::kRun, &kRunCommand},
};
static_assert(strictly_rising(kCommands, &CommandEntry::name), "sort kCommands by name");

constexpr std::array kGroups{
    GroupEntry{"journal", "the record of what happened", &journal_manual},
};
static_assert(strictly_rising(kGroups, &GroupEntry::word), "sort kGroups by word");

}  // namespace

CommandTable commands() { return {.commands = kCommands, .groups = kGroups}; }

}  // namespace holdfast::cli
