// SPDX-License-Identifier: Apache-2.0
//
// What is generated from the command table, as files in memory: docs/cli/, manual pages, shell
// completions. Only holdfast-docgen writes them; the tests compare.
//
// Guarantee: the same table gives the same bytes: no clock, no environment, no locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command_table.h"
#include "cli/output/page.h"

namespace holdfast::cli {

struct DocFile {
  std::string name;
  std::string text;
};

// README.md (the overview) and NAME.md for each group, command and topic.
std::vector<DocFile> markdown_files(const CommandTable& table);

// holdfast.1, holdfast-NAME.1 for groups and commands, holdfast-TOPIC.7.
std::vector<DocFile> man_files(const CommandTable& table);

// holdfast.bash, _holdfast (zsh), holdfast.fish.
std::vector<DocFile> completion_files(const CommandTable& table);

std::string bash_completion(const CommandTable& table);
std::string zsh_completion(const CommandTable& table);
std::string fish_completion(const CommandTable& table);

// The pages below the overview: groups, commands, topics, each kind sorted by name.
enum class PageKind : std::uint8_t { kGroup, kCommand, kTopic };
struct KindedPage {
  PageKind kind;
  Page page;
};
std::vector<KindedPage> pages_below_overview(const CommandTable& table);

// A page's name as part of a file name: "journal append" is journal-append.
std::string file_stem(std::string_view page_name);

// `text` as man(7) source within a line: dashes, backslashes and quoted words.
std::string man_escape(std::string_view text);

// What the three completion generators have in common: which words a shell offers, and where.
//
// `--name` and, where there is one, `-n`.
std::vector<std::string> spellings(const OptionSpec& option);

// Is one of its arguments completed as a path?
bool takes_path_arguments(const CommandSpec& spec);

// Which names a shell offers for an argument or an option's value: the KIND of `__names`
// (cmd_names.cc), or nothing where nobody knows any.
std::string_view offered_names(const CommandTable& table, const CommandSpec& spec,
                               const ArgumentSpec& argument);
std::string_view offered_names(const OptionSpec& option);

// Where the user's command begins without `--` (cut_at_command, cli/frame/parse.h), for a shell that
// counts words. Options are spelled with their dashes and separated by a space.
struct BeforeCommand {
  int arguments = 0;   // so many stand before it,
  std::string none;    // none behind one of these,
  std::string one;     // one behind one of these
  std::string valued;  // these take the next word
};
// nullopt: it takes none, or only behind `--`.
std::optional<BeforeCommand> before_command(const CommandSpec& spec);

// What may stand where the command word is expected: commands of one word, and groups.
struct FirstWord {
  std::string_view word;
  std::string_view summary;
};
std::vector<FirstWord> first_words(const CommandTable& table);

std::string joined(const std::vector<std::string>& words, std::string_view between);

}  // namespace holdfast::cli
