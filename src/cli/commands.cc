// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include <array>

namespace holdfast::cli {
namespace {

constexpr std::array kCommands{
    CommandEntry{"doctor", Section::kRecord, &kDoctorCommand},
    CommandEntry{"help", Section::kManual, &kHelpCommand},
    CommandEntry{"run", Section::kRun, &kRunCommand},
};
static_assert(strictly_rising(kCommands, &CommandEntry::name), "sort kCommands by name");

constexpr std::array<GroupEntry, 0> kGroups{};
static_assert(strictly_rising(kGroups, &GroupEntry::word), "sort kGroups by word");

}  // namespace

CommandTable commands() { return {.commands = kCommands, .groups = kGroups}; }

}  // namespace holdfast::cli
