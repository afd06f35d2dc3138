// SPDX-License-Identifier: Apache-2.0
//
// Help topics: what concerns all commands, told once. `holdfast help TOPIC` shows them; section 7
// of the manual and docs/cli/ hold the same text.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/frame/command_table.h"

namespace holdfast::cli {

struct Topic {
  std::string_view name;
  std::string_view summary;  // one line, lower case, no full stop
  std::vector<Block> (*blocks)();
};

// Sorted by name.
std::span<const Topic> topics();
const Topic* find_topic(std::string_view name);

// `holdfast help hooks`.
std::vector<Block> hooks_topic();

// `holdfast help events`, made from the registry (format/journal/event_type.h), so that it cannot
// disagree with the program.
std::vector<Block> events_topic();

}  // namespace holdfast::cli
