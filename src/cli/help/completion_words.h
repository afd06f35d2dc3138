// SPDX-License-Identifier: Apache-2.0
//
// What the three completion generators have in common: which words a shell offers, and where.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command_table.h"

namespace holdfast::cli {

// `--name` and, where there is one, `-n`.
std::vector<std::string> spellings(const OptionSpec& option);

// Is one of its arguments completed as a path?
bool takes_path_arguments(const CommandSpec& spec);

// What may stand where the command word is expected: commands of one word, and groups.
struct FirstWord {
  std::string_view word;
  std::string_view summary;
};
std::vector<FirstWord> first_words(const CommandTable& table);

// `text` as one word for sh, zsh and fish: 'it'\''s'. (fish reads \' outside quotes the same way.)
std::string shell_quoted(std::string_view text);

std::string joined(const std::vector<std::string>& words, std::string_view between);

}  // namespace holdfast::cli
