// SPDX-License-Identifier: Apache-2.0
//
// The zsh completion, for _arguments. In its specifications `:`, `[` and `]` end a field, so they
// are escaped in descriptions.
#include "cli/frame/common_options.h"
#include "cli/frame/option_value.h"
#include "cli/frame/shell_line.h"
#include "cli/help/doc_files.h"

namespace holdfast::cli {
namespace {

constexpr std::string_view kCompletionZshHead = R"zsh(#compdef holdfast
# zsh completion for holdfast. Made by holdfast-docgen; do not edit.

# Names of sessions, locks and the like, as the program knows them.
_holdfast_names() {
  local -a names
  names=(${(f)"$(_call_program names holdfast ${(q)_holdfast_home} __names $1 2>/dev/null)"})
  compadd -a names
}

_holdfast() {
  local curcontext=$curcontext state line ret=1
  local dashes=${words[(i)--]}
  if (( dashes < CURRENT )); then
    shift $dashes words
    (( CURRENT -= dashes ))
    _normal && ret=0
    return ret
  fi
  local -a common _holdfast_home
  local -i at=${words[(I)--home]}
  (( at && at + 1 < CURRENT )) && _holdfast_home=(--home ${(Q)words[at + 1]})
  common=(
)zsh";

std::string field(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view(":[]\\").contains(c)) out += '\\';
    out += c;
  }
  return out;
}

std::string names_action(std::string_view names) {
  return " _holdfast_names " + std::string(names);
}

std::string action(const OptionSpec& option) {
  if (const auto names = offered_names(option); !names.empty()) return names_action(names);
  switch (option.kind) {
    case OptionKind::kPath:
      return option.value == "DIR" ? "_directories" : "_files";
    case OptionKind::kChoice: {
      std::vector<std::string> words;
      for (const std::string_view word : choices_of(option)) words.emplace_back(word);
      return "(" + joined(words, " ") + ")";
    }
    default:
      return " ";  // any value
  }
}

// One line per spelling; all spellings of an option exclude each other unless it may be repeated.
std::string option_lines(const OptionSpec& option) {
  const std::vector<std::string> names = spellings(option);
  const bool flag = option.kind == OptionKind::kFlag;
  std::string lines;
  for (const std::string& name : names) {
    const std::string once = option.repeat == Repeat::kOnce ? "(" + joined(names, " ") + ")" : "*";
    std::string spec = once + name;
    if (!flag) spec += name.starts_with("--") ? "=" : "+";
    spec += "[" + field(option.help) + "]";
    if (!flag) spec += ":" + field(option.value) + ":" + action(option);
    lines += "    " + shell_quoted(spec) + "\n";
  }
  return lines;
}

std::string argument_lines(const CommandTable& table, const CommandSpec& spec) {
  std::string lines;
  if (spec.name == "help") {
    std::vector<std::string> words;
    for (const FirstWord& first : first_words(table)) words.emplace_back(first.word);
    for (const Topic& topic : topics()) words.emplace_back(topic.name);
    return "    " + shell_quoted("*:SUBJECT:(" + joined(words, " ") + ")") + "\n";
  }
  // The members of a group are offered where the first argument of its own command stands.
  const GroupEntry* group = table.find_group(spec.name);
  std::string members = group == nullptr ? "" : joined(table.member_words(*group), " ");
  for (const ArgumentSpec& argument : spec.arguments) {
    std::string action = is_path_argument(argument) ? "_files" : " ";
    const auto names = offered_names(table, spec, argument);
    if (!names.empty()) action = names_action(names);
    if (!members.empty()) {
      action =
          is_path_argument(argument) ? "{_files; compadd " + members + "}" : "(" + members + ")";
      members.clear();
    }
    std::string where = ":";
    if (argument.arity == Arity::kOptional) where = "::";
    if (argument.arity == Arity::kAny || argument.arity == Arity::kOneOrMore) where = "*:";
    where.append(field(argument.name)).append(":").append(action);
    lines += "    " + shell_quoted(where) + "\n";
  }
  return lines;
}

std::string function_name(std::string_view command) { return "_holdfast_" + file_stem(command); }

std::string described(const std::vector<FirstWord>& words) {
  std::string text = "  local -a names\n  names=(\n";
  for (const FirstWord& each : words) {
    text += "    " + shell_quoted(field(each.word) + ":" + std::string(each.summary)) + "\n";
  }
  return text + "  )\n";
}

// A function that offers `words` and hands over to the function of the word that was typed.
std::string word_dispatch(const std::string& prefix, const std::vector<FirstWord>& words) {
  std::string text = described(words) +
                     "  _arguments -C -S $common '1:command:->word' '*::argument:->rest' && ret=0\n"
                     "  case $state in\n"
                     "    word) _describe -t commands 'holdfast command' names && ret=0 ;;\n"
                     "    rest)\n      case $line[1] in\n";
  for (const FirstWord& each : words) {
    text += "        " + std::string(each.word) + ") " +
            function_name(prefix + std::string(each.word)) + " && ret=0 ;;\n";
  }
  return text + "      esac\n      ;;\n  esac\n  return ret\n}\n";
}

std::string group_name(const CommandTable& table, const GroupEntry& group) {
  return function_name(group.word) + (table.own_command(group) != nullptr ? "_members" : "");
}

std::string command_function(const CommandTable& table, const CommandSpec& spec) {
  std::string lines;
  for (const OptionSpec& option : spec.options) lines += option_lines(option);
  lines += argument_lines(table, spec);
  if (spec.trailing != Trailing::kNone) lines += "    '(-)--[the command to run follows]'\n";
  if (before_command(spec)) lines += "    '(-)*::command: _normal'\n";
  std::string to_member;
  if (const GroupEntry* group = table.find_group(spec.name)) {
    to_member = "  case ${words[2]} in\n    " + joined(table.member_words(*group), " | ") +
                ")\n      if (( CURRENT > 2 )); then\n        " + group_name(table, *group) +
                "\n        return\n      fi\n      ;;\n  esac\n";
  }
  return "\n" + function_name(spec.name) + "() {\n" + to_member + "  local -a own\n  own=(\n" +
         lines + "  )\n  _arguments -S $common $own\n}\n";
}

std::string group_function(const CommandTable& table, const GroupEntry& group) {
  std::vector<FirstWord> members;
  for (const CommandSpec* spec : table.members(group)) {
    members.push_back({spec->name.substr(group.word.size() + 1), spec->summary});
  }
  return "\n" + group_name(table, group) + "() {\n  local state line ret=1\n" +
         word_dispatch(std::string(group.word) + " ", members);
}

}  // namespace

std::string zsh_completion(const CommandTable& table) {
  std::string text(kCompletionZshHead);
  for (const OptionSpec& option : kCommonOptions) text += option_lines(option);
  text += "  )\n" + word_dispatch("", first_words(table));
  for (const GroupEntry& group : table.groups) text += group_function(table, group);
  for (const CommandEntry& entry : table.commands) text += command_function(table, *entry.spec);
  return text + "\n_holdfast \"$@\"\n";
}

}  // namespace holdfast::cli
