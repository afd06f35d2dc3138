// SPDX-License-Identifier: Apache-2.0
#include "cli/shell_line.h"

#include "cli/completion_words.h"

namespace holdfast::cli {
namespace {

// No shell reads anything into these; a leading `=` means something to zsh.
bool is_plain(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
  return !word.empty() && word.front() != '=' && word.find_first_not_of(kPlain) == word.npos;
}

}  // namespace

std::string shell_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    // In front, NAME=VALUE would be an assignment.
    const bool assigns = line.empty() && word.contains('=');
    if (!line.empty()) line += ' ';
    line += is_plain(word) && !assigns ? word : quoted(word);
  }
  return line;
}

}  // namespace holdfast::cli
