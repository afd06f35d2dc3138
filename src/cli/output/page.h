// SPDX-License-Identifier: Apache-2.0
//
// Page: one page of the manual as data. `holdfast help`, the man pages and docs/cli/ are three
// renderings of the same Page, so they cannot disagree.
//
// Text may quote a word with backticks; each rendering shows that in its own way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command_table.h"
#include "cli/help/topics.h"

namespace holdfast::cli {

struct Page {
  std::string name;     // "write", "journal append", "exit-codes"; empty for the overview
  std::string summary;  // one line
  std::vector<Block> blocks;
};

Page overview_page(const CommandTable& table);
Page group_page(const CommandTable& table, const GroupEntry& group);
Page command_page(const CommandSpec& spec);
// The same, and where it is the own command of a group, the group's commands and manual.
Page command_page(const CommandTable& table, const CommandSpec& spec);
Page topic_page(const Topic& topic);

// `-w, --wait D`
std::string option_term(const OptionSpec& option);

}  // namespace holdfast::cli
