// SPDX-License-Identifier: Apache-2.0
//
// `-h`: what most people need of a command on one screen of 24 lines and 80 columns, the prompt
// below it included. `--help` is the whole page (help.h).
//
// Guarantee: at most kBriefLines lines at 80 columns, whatever the command has. What does not fit
// is counted in the last line, which names `--help`.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "cli/frame/command_table.h"
#include "cli/frame/context.h"

namespace holdfast::cli {

inline constexpr std::size_t kBriefLines = 23;

// No words: the program; else a command or a group. Errors: as find_page.
Result<std::string> brief_help(const CommandTable& table, std::span<const std::string> words,
                               const Context& context);

// The first clause of an option's help: what stands before `;` or a reference.
std::string first_clause(std::string_view help);

}  // namespace holdfast::cli
