// SPDX-License-Identifier: Apache-2.0
//
// The options that every command has. They work before and after the command word, never after
// `--`. No command may declare one of these names or letters itself (commands_test.cc).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/context.h"

namespace holdfast::cli {

inline constexpr std::array kCommonOptions{
    OptionSpec{.name = "home",
               .kind = OptionKind::kPath,
               .value = "DIR",
               .help = "keep state in DIR instead of the default home (see `holdfast help home`)"},
    OptionSpec{.name = "json", .help = "print exactly one JSON document on stdout"},
    OptionSpec{.name = "quiet", .letter = 'q', .help = "print no notes and no progress"},
    OptionSpec{.name = "help", .letter = 'h', .help = "show this help and exit"},
    OptionSpec{.name = "version", .help = "print the version and exit"},
};

struct CommonOptions {
  std::optional<std::string> home{};
  OutputMode mode = OutputMode::kText;
  Verbosity verbosity = Verbosity::kNormal;
  bool help = false;
  bool version = false;
};

}  // namespace holdfast::cli
