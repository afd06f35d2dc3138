// SPDX-License-Identifier: Apache-2.0
//
// Personalities: the program acts by the name under which it was started (a link), as busybox does.
//
// The name is the last component of argv[0]. A name that is not in the table is holdfast itself. A
// name in the table never falls back to holdfast: a script that calls `flock f cmd` must not have
// its words read as holdfast commands. It gets the process as the caller left it: streams that are
// closed or signals that are ignored are part of what the other tool shows or hands on.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/console.h"

namespace holdfast::cli {

struct Personality {
  std::string_view program;
  // Gets argv as it was; returns the exit status.
  int (*run)(Console& console, const std::vector<std::string>& argv);
};

std::span<const Personality> personalities();

// The entry for argv[0], or nullptr.
const Personality* find_personality(std::span<const Personality> table, std::string_view argv0);

}  // namespace holdfast::cli
