// SPDX-License-Identifier: Apache-2.0
#include "cli/help/completion_words.h"

#include <algorithm>

namespace holdfast::cli {

std::vector<std::string> spellings(const OptionSpec& option) {
  std::vector<std::string> words{"--" + std::string(option.name)};
  if (option.letter != '\0') words.push_back(std::string("-") + option.letter);
  return words;
}

bool takes_path_arguments(const CommandSpec& spec) {
  return std::ranges::any_of(spec.arguments, is_path_argument);
}

std::vector<FirstWord> first_words(const CommandTable& table) {
  std::vector<FirstWord> words;
  for (const CommandEntry& entry : table.commands) {
    if (!entry.name.contains(' ')) words.push_back({entry.name, entry.spec->summary});
  }
  for (const GroupEntry& group : table.groups) {
    if (table.own_command(group) == nullptr) words.push_back({group.word, group.summary});
  }
  std::ranges::sort(words, {}, &FirstWord::word);
  return words;
}

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

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

}  // namespace holdfast::cli
