// SPDX-License-Identifier: Apache-2.0
//
// The options that every command has. They work before and after the command word, never after
// `--`, and never behind the first word of the user's command. No command may declare one of these names or letters itself (commands_test.cc).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/hook/hook_order.h"

namespace holdfast::cli {

inline constexpr std::array kCommonOptions{
    OptionSpec{.name = "home",
               .kind = OptionKind::kPath,
               .value = "DIR",
               .help = "keep state in DIR instead of the default home (see `holdfast help home`)"},
    OptionSpec{.name = "json",
               .help = "print exactly one JSON document on stdout, or the lines of a stream"},
    OptionSpec{.name = "quiet", .letter = 'q', .help = "print no notes and no progress"},
    OptionSpec{.name = "color",
               .kind = OptionKind::kChoice,
               .value = "auto|always|never",
               .help = "color what is printed: on a terminal (auto, the default), always or never"},
    kHookOption,
    kHookAllowOption,
    OptionSpec{.name = "budget",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "the time that all of this may take, from the start; what then still waits "
                       "or runs is ended (see `holdfast help hooks`)"},
    OptionSpec{.name = "help",
               .letter = 'h',
               .help = "show what most people need (-h) or the whole page (--help), and exit"},
    OptionSpec{.name = "version", .help = "print the version and exit"},
};

// The options of a command, the common ones last: what its parser, its completions and its
// suggestions know.
inline std::vector<OptionSpec> options_with_common(const CommandSpec& spec) {
  std::vector<OptionSpec> all(spec.options.begin(), spec.options.end());
  all.insert(all.end(), kCommonOptions.begin(), kCommonOptions.end());
  return all;
}

struct CommonOptions {
  std::optional<std::string> home{};
  OutputMode mode = OutputMode::kText;
  Verbosity verbosity = Verbosity::kNormal;
  HookOrder hook{};
  std::optional<Duration> budget{};
  bool help = false;
  bool version = false;
};

}  // namespace holdfast::cli
