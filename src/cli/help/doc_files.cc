// SPDX-License-Identifier: Apache-2.0
#include "cli/help/doc_files.h"

#include <algorithm>
#include <iterator>

#include "cli/frame/common_options.h"
#include "cli/frame/option_value.h"

namespace holdfast::cli {

std::vector<DocFile> completion_files(const CommandTable& table) {
  return {{"holdfast.bash", bash_completion(table)},
          {"_holdfast", zsh_completion(table)},
          {"holdfast.fish", fish_completion(table)}};
}

std::vector<KindedPage> pages_below_overview(const CommandTable& table) {
  std::vector<KindedPage> pages;
  for (const GroupEntry& group : table.groups) {
    if (table.own_command(group) != nullptr) continue;  // it is on the command's page
    pages.push_back({PageKind::kGroup, group_page(table, group)});
  }
  for (const CommandEntry& entry : table.commands) {
    pages.push_back({PageKind::kCommand, command_page(table, *entry.spec)});
  }
  for (const Topic& topic : topics()) pages.push_back({PageKind::kTopic, topic_page(topic)});
  return pages;
}

std::string file_stem(std::string_view page_name) {
  std::string stem(page_name);
  std::ranges::replace(stem, ' ', '-');
  return stem;
}

std::vector<std::string> spellings(const OptionSpec& option) {
  std::vector<std::string> words{"--" + std::string(option.name)};
  if (option.letter != '\0') words.push_back(std::string("-") + option.letter);
  return words;
}

std::optional<BeforeCommand> before_command(const CommandSpec& spec) {
  if (spec.trailing == Trailing::kNone) return std::nullopt;
  const std::vector<OptionSpec> options = options_with_common(spec);
  const auto typed = [&](std::string_view list) {
    const std::vector<std::string_view> names = names_in(list);
    std::vector<std::string> words;
    for (const OptionSpec& option : options) {
      if (std::ranges::find(names, option.name) == names.end()) continue;
      std::ranges::move(spellings(option), std::back_inserter(words));
    }
    return joined(words, " ");
  };
  BeforeCommand before;
  for (const ArgumentSpec& argument : spec.arguments) {
    if (argument.arity == Arity::kAny || argument.arity == Arity::kOneOrMore) return std::nullopt;
    if (argument.behind.empty()) ++before.arguments;
    before.none = typed(argument.unless);
    before.one = typed(argument.behind);
  }
  std::vector<std::string> valued;
  for (const OptionSpec& option : options) {
    if (option.kind == OptionKind::kFlag) continue;
    std::ranges::move(spellings(option), std::back_inserter(valued));
  }
  before.valued = joined(valued, " ");
  return before;
}

bool takes_path_arguments(const CommandSpec& spec) {
  return std::ranges::any_of(spec.arguments, is_path_argument);
}

std::string_view offered_names(const CommandTable& table, const CommandSpec& spec,
                               const ArgumentSpec& argument) {
  const auto entry = std::ranges::find(table.commands, spec.name, &CommandEntry::name);
  if (entry == table.commands.end()) return {};
  if (argument.name == "KEY" && entry->section == Section::kLoops) return "keys";
  if (argument.name != "NAME") return {};
  if (entry->section == Section::kLocks) return "locks";
  const std::string_view group = spec.name.substr(0, spec.name.find(' '));
  if (group == "workspace") return "workspaces";
  return entry->section == Section::kRun && group == spec.name ? "sessions" : "";
}

std::string_view offered_names(const OptionSpec& option) {
  if (option.name == "type" && option.kind == OptionKind::kText) return "events";
  if (option.name == "name" && option.kind == OptionKind::kText) return "sessions";
  return option.name == "lock" && option.kind == OptionKind::kText ? "locks" : "";
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

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

}  // namespace holdfast::cli
