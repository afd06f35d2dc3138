// SPDX-License-Identifier: Apache-2.0
#include "helper/commands.h"

#include <array>

#include "cli/commands.h"

namespace holdfast::helper {
namespace {

using cli::CommandEntry;
using cli::Section;

constexpr std::array kCommands{
    CommandEntry{"export-sqlite", Section::kRecord, &kExportSqliteCommand},
    CommandEntry{"journal count", Section::kRecord, &cli::kJournalCountCommand},
    CommandEntry{"journal query", Section::kRecord, &cli::kJournalQueryCommand},
};
static_assert(cli::strictly_rising(kCommands, &CommandEntry::name), "sort kCommands by name");

constexpr std::array kGroups{
    cli::GroupEntry{"journal", "questions to the journal that read the data of events"},
};

}  // namespace

cli::CommandTable commands() { return {.commands = kCommands, .groups = kGroups}; }

}  // namespace holdfast::helper
