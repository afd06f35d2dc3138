// SPDX-License-Identifier: Apache-2.0
//
// The fish completion: one `complete` line per option, under the condition that its command was
// typed. After `--` the rest of the line is completed as a command line of its own.
#include "cli/frame/common_options.h"
#include "cli/frame/option_value.h"
#include "cli/frame/shell_line.h"
#include "cli/help/doc_files.h"

namespace holdfast::cli {
namespace {

constexpr std::string_view kCompletionFishHead =
    R"fish(# fish completion for holdfast. Made by holdfast-docgen; do not edit.

# The words that were typed before the cursor, without options and their values.
function __holdfast_words
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if test "$word" = --home
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

# Prints where the user's command begins: behind `--`, or at the first word that is no option, no value of one, and no
# argument.
function __holdfast_command_at
    set -l words (commandline -opc)
    set -l command
    set -l before -1 '' '' ''
    set -l skip 0
    for i in (seq 2 (count $words))
        set -l word $words[$i]
        if test $skip = 1
            set skip 0
        else if test "$word" = --
            math $i + 1
            return
        else if string match -q -- '-*' $word
            contains -- $word --home (string split ' ' -- $before[4]); and set skip 1
            contains -- $word (string split ' ' -- $before[2]); and set before[1] 0
            contains -- $word (string split ' ' -- $before[3]); and set before[1] 1
        else if test $before[1] = 0
            echo $i
            return
        else if test $before[1] -gt 0
            set before[1] (math $before[1] - 1)
        else
            set -a command $word
            set -l found (__holdfast_before "$command")
            test -n "$found"; and set before $found
        end
    end
    test $skip = 0 -a $before[1] = 0; and math (count $words) + 1
end

function __holdfast_after_dashes
    set -l at (__holdfast_command_at)
    test -n "$at"; or return 1
    contains -- -- (commandline -opc); or not string match -q -- '-*' (commandline -ct); or test $at -le (count (commandline -opc))
end

# Is the command so far exactly this?
function __holdfast_typed
    not __holdfast_after_dashes; and test "$(string join ' ' -- (__holdfast_words))" = "$argv"
end

# Does the command line start with this command?
function __holdfast_in
    not __holdfast_after_dashes; and string match -q -- "$argv *" "$(string join ' ' -- (__holdfast_words)) "
end

# Names of sessions, locks and the like, as the program knows them.
function __holdfast_names
    set -l words (commandline -opc)
    set -l home
    if set -l at (contains -i -- --home $words)
        set home --home $words[(math $at + 1)]
    end
    $words[1] $home __names $argv[1] (commandline -ct) 2>/dev/null
end

function __holdfast_trailing
    set -l words (commandline -opc)
    set -l at (__holdfast_command_at)
    set -l rest
    test $at -le (count $words); and set rest $words[$at..-1]
    complete -C (string join ' ' -- (string escape -- $rest) (commandline -ct))
end

complete -c holdfast -f
complete -c holdfast -n __holdfast_after_dashes -xa '(__holdfast_trailing)'
)fish";

std::string option_line(const std::string& condition, const OptionSpec& option) {
  std::string line =
      "complete -c holdfast -n " + shell_quoted(condition) + " -l " + std::string(option.name);
  if (option.letter != '\0') line += std::string(" -s ") + option.letter;
  if (const auto names = offered_names(option); !names.empty()) {
    line += " -xa '(__holdfast_names " + std::string(names) + ")'";
  } else if (option.kind == OptionKind::kPath) {
    line += option.value == "DIR" ? " -xa '(__fish_complete_directories)'" : " -rF";
  } else if (option.kind == OptionKind::kChoice) {
    std::vector<std::string> words;
    for (const std::string_view word : choices_of(option)) words.emplace_back(word);
    line += " -xa " + shell_quoted(joined(words, " "));
  } else if (option.kind != OptionKind::kFlag) {
    line += " -x";
  }
  return line + " -d " + shell_quoted(option.help) + "\n";
}

std::string word_line(const std::string& before, std::string_view word, std::string_view summary) {
  return "complete -c holdfast -n " + shell_quoted("__holdfast_typed " + before) + " -a " +
         shell_quoted(word) + " -d " + shell_quoted(summary) + "\n";
}

std::string command_lines(const CommandTable& table, const CommandSpec& spec) {
  std::string condition = "__holdfast_in " + std::string(spec.name);
  if (const GroupEntry* group = table.find_group(spec.name)) {
    for (const CommandSpec* member : table.members(*group)) {
      condition += "; and not __holdfast_in " + std::string(member->name);
    }
  }
  std::string text = "\n# holdfast " + std::string(spec.name) + "\n";
  for (const OptionSpec& option : spec.options) text += option_line(condition, option);
  for (const ArgumentSpec& argument : spec.arguments) {
    const auto names = offered_names(table, spec, argument);
    if (names.empty()) continue;
    text += "complete -c holdfast -n " + shell_quoted(condition) + " -a '(__holdfast_names " +
            std::string(names) + ")'\n";
  }
  if (takes_path_arguments(spec)) {
    text += "complete -c holdfast -n " + shell_quoted(condition) + " -F\n";
  }
  if (spec.name != "help") return text;
  for (const FirstWord& first : first_words(table)) {
    text += word_line("help", first.word, first.summary);
  }
  for (const Topic& topic : topics()) text += word_line("help", topic.name, topic.summary);
  return text;
}

// Four lines: how many arguments stand before the user's command, options behind which there are
// none, or one, and options that take the next word.
std::string fish_before(const CommandTable& table) {
  std::string text = "\nfunction __holdfast_before\n    switch \"$argv\"\n";
  for (const CommandEntry& entry : table.commands) {
    const auto before = before_command(*entry.spec);
    if (!before) continue;
    text += "        case " + shell_quoted(entry.name) + "\n            printf '%s\\n' " +
            std::to_string(before->arguments) + " " + shell_quoted(before->none) + " " +
            shell_quoted(before->one) + " " + shell_quoted(before->valued) + "\n";
  }
  return text + "    end\nend\n\n";
}

}  // namespace

std::string fish_completion(const CommandTable& table) {
  std::string text = std::string(kCompletionFishHead) + fish_before(table);
  for (const OptionSpec& option : kCommonOptions) {
    text += option_line("not __holdfast_after_dashes", option);
  }
  for (const FirstWord& first : first_words(table)) {
    text += word_line("", first.word, first.summary);
  }
  for (const GroupEntry& group : table.groups) {
    for (const CommandSpec* spec : table.members(group)) {
      text += word_line(std::string(group.word), spec->name.substr(group.word.size() + 1),
                        spec->summary);
    }
  }
  for (const CommandEntry& entry : table.commands) text += command_lines(table, *entry.spec);
  return text;
}

}  // namespace holdfast::cli
