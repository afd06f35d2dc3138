// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/command_table.h"

#include <algorithm>

#include "cli/frame/command_line.h"

namespace holdfast::cli {
namespace {

Error unknown_command(const CommandTable& table, const std::string& typed) {
  const auto known = std::ranges::find(table.guesses, typed, &MovedCommand::name);
  if (known != table.guesses.end()) {
    return usage_error(
        "unknown-command", "find the command", "'" + typed + "'",
        "there is none of that name; did you mean `holdfast " + std::string(known->now) + "`?");
  }
  std::vector<std::string_view> names;
  for (const CommandEntry& entry : table.commands) names.push_back(entry.name);
  for (const GroupEntry& group : table.groups) names.push_back(group.word);
  const auto guess = nearest(typed, names);
  return usage_error("unknown-command", "find the command", "'" + typed + "'",
                     guess ? "there is none of that name; did you mean " + std::string(*guess) + "?"
                           : "there is none of that name; see `holdfast help`");
}

Error unknown_member(const CommandTable& table, const GroupEntry& group, const std::string& word) {
  const std::vector<std::string> members = table.member_words(group);
  const std::vector<std::string_view> words(members.begin(), members.end());
  const auto guess = nearest(word, words);
  const std::string name(group.word);
  return usage_error("unknown-command", "find the command", "'" + name + " " + word + "'",
                     "there is none of that name; " +
                         (guess ? "did you mean " + name + " " + std::string(*guess) + "?"
                                : "see `holdfast help " + name + "`"));
}

Error moved_command(const std::string& name, std::string_view now) {
  return usage_error(
      "unknown-command", "find the command", "'" + name + "'",
      "there is none of that name any more; did you mean `holdfast " + std::string(now) + "`?");
}

}  // namespace

std::string_view title(Section section) {
  switch (section) {
    case Section::kRun:
      return "Run a command as a session";
    case Section::kLocks:
      return "Locks";
    case Section::kFiles:
      return "Files";
    case Section::kProcesses:
      return "Processes and clean-up";
    case Section::kLoops:
      return "Steps and loops";
    case Section::kRecord:
      return "What happened, and how things stand";
    case Section::kManual:
      return "Manual";
  }
  return {};
}

const CommandSpec* CommandTable::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(commands, name, {}, &CommandEntry::name);
  return at != commands.end() && at->name == name ? at->spec : nullptr;
}

const GroupEntry* CommandTable::find_group(std::string_view word) const {
  const auto at = std::ranges::find(groups, word, &GroupEntry::word);
  return at != groups.end() ? &*at : nullptr;
}

std::vector<const CommandSpec*> CommandTable::members(const GroupEntry& group) const {
  const std::string prefix = std::string(group.word) + " ";
  std::vector<const CommandSpec*> found;
  for (const CommandEntry& entry : commands) {
    if (entry.name.starts_with(prefix)) found.push_back(entry.spec);
  }
  return found;
}

std::vector<std::string> CommandTable::member_words(const GroupEntry& group) const {
  std::vector<std::string> words;
  for (const CommandSpec* spec : members(group)) {
    words.emplace_back(spec->name.substr(group.word.size() + 1));
  }
  return words;
}

std::optional<std::string_view> CommandTable::moved_to(std::string_view name) const {
  const auto at = std::ranges::find(moved, name, &MovedCommand::name);
  if (at == moved.end()) return std::nullopt;
  return at->typed.empty() ? at->now : at->typed;
}

const CommandSpec* CommandTable::own_command(const GroupEntry& group) const {
  return find(group.word);
}

Result<FoundCommand> find_command(const CommandTable& table, std::span<const std::string> words,
                                  Dashes dashes) {
  if (table.hidden != nullptr && words[0] == table.hidden->name)
    return FoundCommand{table.hidden, nullptr, 1};
  const bool has_second = words.size() > 1 && !words[1].starts_with('-');
  const bool is_key = dashes == Dashes::kTyped && table.find(words[0]) != nullptr;
  if (has_second && !is_key) {
    const std::string name = words[0] + " " + words[1];
    if (const CommandSpec* spec = table.find(name)) return FoundCommand{spec, nullptr, 2};
    if (const auto now = table.moved_to(name)) return fail(moved_command(name, *now));
  }
  if (const CommandSpec* spec = table.find(words[0])) return FoundCommand{spec, nullptr, 1};
  const GroupEntry* group = table.find_group(words[0]);
  if (group == nullptr) {
    const auto now = table.moved_to(words[0]);
    return fail(now ? moved_command(words[0], *now) : unknown_command(table, words[0]));
  }
  if (has_second) return fail(unknown_member(table, *group, words[1]));
  return FoundCommand{nullptr, group, 1};
}

}  // namespace holdfast::cli
