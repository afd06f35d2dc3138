// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/shell_line.h"

namespace holdfast::cli {
namespace {

// No shell reads anything into these; a leading `=` means something to zsh.
bool is_plain(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
  return !word.empty() && word.front() != '=' && word.find_first_not_of(kPlain) == word.npos;
}

}  // namespace

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string shell_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += is_plain(word) ? word : shell_quoted(word);
  }
  return line;
}

std::string shell_command(std::span<const std::string> words) {
  if (words.empty() || !is_plain(words.front()) || !words.front().contains('='))
    return shell_line(words);
  return shell_quoted(words.front()) + (words.size() > 1 ? " " : "") + shell_line(words.subspan(1));
}

}  // namespace holdfast::cli
