// SPDX-License-Identifier: Apache-2.0
//
// The bash completion. It works without the bash-completion package; with it, the command after
// `--` is completed by that command's own completion.
//
// bash cuts words at `=`, so `--choice=wo` arrives as `--choice`, `=`, `wo`.
#include "cli/frame/common_options.h"
#include "cli/frame/option_value.h"
#include "cli/frame/shell_line.h"
#include "cli/help/doc_files.h"

namespace holdfast::cli {
namespace {

constexpr std::string_view kCompletionBashHead =
    R"(# bash completion for holdfast. Made by holdfast-docgen; do not edit.
# shellcheck shell=bash

_holdfast_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2"); }
_holdfast_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

# Names of sessions, locks and the like, as the program knows them.
_holdfast_names() {
  local program=${COMP_WORDS[0]} i
  type -P -- "$program" >/dev/null || program=holdfast
  mapfile -t COMPREPLY < <("$program" ${home:+--home "$home"} __names "$1" "$cur" 2>/dev/null)
  for i in "${!COMPREPLY[@]}"; do printf -v "COMPREPLY[i]" %q "${COMPREPLY[i]}"; done
}

# The user's command: the command's own completion where bash-completion is loaded, else commands and files.
_holdfast_trailing() {
  if declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif ((COMP_CWORD == $1)); then
    mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
  else
    _holdfast_paths -f "${COMP_WORDS[COMP_CWORD]}"
  fi
}

_holdfast() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' group='' home='' word i
  local arguments=-1 none='' one='' valued=''
  COMPREPLY=()
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in
      --)
        _holdfast_trailing $((i + 1))
        return
        ;;
      --home)
        i=$((i + 1))
        [[ ${COMP_WORDS[i]} == = ]] && i=$((i + 1))
        home=${COMP_WORDS[i]}
        ;;
      -*)
        [[ $none == *" $word "* ]] && arguments=0
        [[ $one == *" $word "* ]] && arguments=1
        if [[ $valued == *" $word "* ]]; then
          i=$((i + 1))
          [[ ${COMP_WORDS[i]} == = ]] && i=$((i + 1))
        fi
        ;;
      =) i=$((i + 1)) ;;
      *)
        if [[ -n $command ]]; then
          if ((arguments == 0)); then
            _holdfast_trailing "$i"
            return
          fi
          arguments=$((arguments - 1))
          continue
        fi
        if [[ -n $group ]]; then
          command="$group $word"
)";

constexpr std::string_view kAfterSecondWord = R"(          _holdfast_before "$command"
          continue
        fi
        case $word in
)";

// A second word that is no member of a group with a command of its own belongs to that command.
std::string second_word_cases(const CommandTable& table) {
  std::vector<std::string> members;
  std::vector<std::string> others;
  for (const GroupEntry& group : table.groups) {
    if (table.own_command(group) == nullptr) continue;
    for (const CommandSpec* spec : table.members(group))
      members.push_back(shell_quoted(spec->name));
    others.push_back(shell_quoted(std::string(group.word) + " ") + "*");
  }
  if (others.empty()) return "";
  return "          case $command in\n            " + joined(members, " | ") +
         ") ;;\n            " + joined(others, " | ") + ") command=$group ;;\n          esac\n";
}

std::string first_word_cases(const CommandTable& table) {
  std::string text;
  for (const GroupEntry& group : table.groups) {
    text += "          " + std::string(group.word) + ") group=$word ;;\n";
  }
  return text +
         "          *)\n            command=$word\n            _holdfast_before \"$command\"\n"
         "            ;;\n        esac\n        ;;\n    esac\n  done\n"
         "  if ((arguments == 0)) && [[ $cur != -* && $valued != *\" $prev \"* ]]; then\n"
         "    _holdfast_trailing \"$COMP_CWORD\"\n    return\n  fi\n";
}

std::string value_action(const OptionSpec& option) {
  if (const auto names = offered_names(option); !names.empty())
    return "_holdfast_names " + std::string(names);
  switch (option.kind) {
    case OptionKind::kPath:
      return std::string("_holdfast_paths ") + (option.value == "DIR" ? "-d" : "-f") + " \"$cur\"";
    case OptionKind::kChoice: {
      std::vector<std::string> words;
      for (const std::string_view word : choices_of(option)) words.emplace_back(word);
      return "_holdfast_words " + shell_quoted(joined(words, " ")) + " \"$cur\"";
    }
    default:
      return ":";  // any value: nothing to offer
  }
}

std::string command_case(const CommandSpec& spec, const std::string& arguments) {
  std::vector<std::string> words;
  std::string values;
  for (const OptionSpec& option : options_with_common(spec)) {
    const std::vector<std::string> names = spellings(option);
    words.insert(words.end(), names.begin(), names.end());
    if (option.kind == OptionKind::kFlag) continue;
    values += "        " + joined(names, " | ") + ") " + value_action(option) + "; return ;;\n";
  }
  return "    " + shell_quoted(spec.name) + ")\n      case $prev in\n" + values +
         "      esac\n      if [[ $cur == -* ]]; then\n        _holdfast_words " +
         shell_quoted(joined(words, " ") + (spec.trailing == Trailing::kNone ? "" : " --")) +
         " \"$cur\"\n      else\n        " + arguments + "\n      fi\n      ;;\n";
}

// Where a command word is still to come: the common options and the words that may stand there.
std::string command_word_case(std::string_view group, const std::string& words) {
  const CommandSpec none{.name = group, .summary = {}, .description = {}};
  return command_case(none, "_holdfast_words " + shell_quoted(words) + " \"$cur\"");
}

std::string help_subjects(const CommandTable& table) {
  std::vector<std::string> words;
  for (const FirstWord& first : first_words(table)) words.emplace_back(first.word);
  for (const Topic& topic : topics()) words.emplace_back(topic.name);
  return joined(words, " ");
}

std::string arguments_action(const CommandTable& table, const CommandSpec& spec) {
  if (spec.name == "help") {
    return "_holdfast_words " + shell_quoted(help_subjects(table)) + " \"$cur\"";
  }
  const GroupEntry* group = table.find_group(spec.name);
  if (group == nullptr && !spec.arguments.empty()) {
    const auto names = offered_names(table, spec, spec.arguments.front());
    if (!names.empty()) return "_holdfast_names " + std::string(names);
  }
  const std::string members = group == nullptr ? "" : joined(table.member_words(*group), " ");
  if (!takes_path_arguments(spec)) {
    return group == nullptr ? ":" : "_holdfast_words " + shell_quoted(members) + " \"$cur\"";
  }
  std::string paths = "_holdfast_paths -f \"$cur\"";
  if (group == nullptr) return paths;
  return paths + "\n        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W " +
         shell_quoted(members) + " -- \"$cur\")";
}

// Sets the variables of _holdfast that say where the user's command begins.
std::string before_cases(const CommandTable& table) {
  std::string text =
      "\n# What stands before the user's command.\n_holdfast_before() {\n  case $1 in\n";
  for (const CommandEntry& entry : table.commands) {
    const auto before = before_command(*entry.spec);
    if (!before) continue;
    text += "    " + shell_quoted(entry.name) + ") arguments=" + std::to_string(before->arguments) +
            " none=" + shell_quoted(" " + before->none + " ") +
            " one=" + shell_quoted(" " + before->one + " ") +
            " valued=" + shell_quoted(" " + before->valued + " ") + " ;;\n";
  }
  return text + "  esac\n}\n";
}

}  // namespace

std::string bash_completion(const CommandTable& table) {
  std::string text = std::string(kCompletionBashHead) + second_word_cases(table) +
                     std::string(kAfterSecondWord) + first_word_cases(table);
  std::vector<std::string> words;
  for (const FirstWord& first : first_words(table)) words.emplace_back(first.word);
  text += "  case ${command:-$group} in\n" + command_word_case("", joined(words, " "));
  for (const GroupEntry& group : table.groups) {
    if (table.own_command(group) != nullptr) continue;
    text += command_word_case(group.word, joined(table.member_words(group), " "));
  }
  for (const CommandEntry& entry : table.commands) {
    text += command_case(*entry.spec, arguments_action(table, *entry.spec));
  }
  return text + "  esac\n}\n" + before_cases(table) + "complete -F _holdfast holdfast\n";
}

}  // namespace holdfast::cli
