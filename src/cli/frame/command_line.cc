// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/command_line.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/frame/common_options.h"

namespace holdfast::cli {
namespace {

const OptionSpec* find_common(std::string_view name) {
  const auto found = std::ranges::find(kCommonOptions, name, &OptionSpec::name);
  return found == kCommonOptions.end() ? nullptr : found;
}

void note_flag(Leading& leading, std::string_view name) {
  leading.help = leading.help || name == "help";
  leading.version = leading.version || name == "version";
}

Error unknown(const std::string& word) {
  std::vector<std::string_view> names;
  for (const OptionSpec& option : kCommonOptions) names.push_back(option.name);
  const auto guess = nearest(option_stem(word), names);
  return usage_error("unknown-option", "understand the option", word,
                     guess ? "did you mean --" + std::string(*guess) + "?"
                           : "only common options stand before the command; see `holdfast help`");
}

// Reads the letters of `-qh`.
Result<> read_letters(Leading& leading, const std::string& word) {
  for (const char letter : std::string_view(word).substr(1)) {
    const auto found = std::ranges::find(kCommonOptions, letter, &OptionSpec::letter);
    if (found == kCommonOptions.end()) return fail(unknown(word));
    note_flag(leading, found->name);
  }
  return {};
}

// Reads one long option; returns how many words it took.
Result<std::size_t> read_long(Leading& leading, const std::vector<std::string>& words,
                              std::size_t at) {
  const std::string& word = words[at];
  const std::string_view name = std::string_view(word).substr(2);
  const OptionSpec* option = find_common(name.substr(0, name.find('=')));
  if (option == nullptr) return fail(unknown(word));
  const bool attached = word.contains('=');
  if (option->kind == OptionKind::kFlag) {
    note_flag(leading, option->name);
    if (attached) {
      return fail(usage_error("bad-value", "understand the option", word,
                              "--" + std::string(option->name) + " takes no value"));
    }
    return 1;
  }
  if (attached) return 1;
  if (at + 1 == words.size()) {
    return fail(usage_error("missing-value", "understand the option", word,
                            "its value " + std::string(option->value) + " is missing"));
  }
  return 2;
}

}  // namespace

bool CommandLine::mentions_json() const {
  return std::ranges::any_of(std::array{&words, &dropped}, [](const auto* list) {
    return std::ranges::find(*list, "--json") != list->end();
  });
}

bool CommandLine::mentions_hook() const {
  const auto is_hook = [](const std::string& word) { return word.starts_with("--hook"); };
  return std::ranges::any_of(words, is_hook) || std::ranges::any_of(dropped, is_hook);
}

bool CommandLine::mentions_whole_help() const {
  return std::ranges::find(words, "--help") != words.end();
}

std::optional<std::string_view> CommandLine::color() const {
  constexpr std::string_view kOption = "--color";
  std::optional<std::string_view> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word.starts_with("--color=")) found = word.substr(kOption.size() + 1);
    if (word == kOption && i + 1 < words.size()) found = words[i + 1];
  }
  return found;
}

CommandLine cut_at_dashes(const std::vector<std::string>& argv) {
  CommandLine line;
  if (argv.empty()) return line;
  const auto dashes = std::find(argv.begin() + 1, argv.end(), "--");
  line.words.assign(argv.begin() + 1, dashes);
  line.has_dashes = dashes != argv.end();
  if (line.has_dashes) line.trailing.assign(dashes + 1, argv.end());
  return line;
}

Result<Leading> read_leading(const std::vector<std::string>& words) {
  Leading leading;
  std::size_t at = 0;
  while (at < words.size() && words[at].size() > 1 && words[at].starts_with('-')) {
    if (words[at].starts_with("--")) {
      at += HF_TRY(read_long(leading, words, at));
    } else {
      HF_TRY(read_letters(leading, words[at]));
      ++at;
    }
  }
  leading.command_at = at;
  return leading;
}

Error usage_error(std::string_view cause, std::string op, std::string subject, std::string detail) {
  return {.code = ErrorCode::kUsage,
          .op = std::move(op),
          .subject = std::move(subject),
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

std::string_view option_stem(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word.substr(0, word.find('='));
}

}  // namespace holdfast::cli
