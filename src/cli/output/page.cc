// SPDX-License-Identifier: Apache-2.0
#include "cli/output/page.h"

#include <algorithm>

#include "cli/frame/common_options.h"
#include "cli/frame/option_value.h"

namespace holdfast::cli {
namespace {

constexpr std::string_view kAbout =
    "holdfast runs agents, hooks and cron jobs that nobody watches: timeouts for whole process "
    "trees, real locks, atomic files, safe clean-up, and a record of what happened.";

void add_paragraphs(std::vector<Block>& blocks, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    blocks.push_back(paragraph(std::string(text.substr(0, end))));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
}

void add_options(std::vector<Block>& blocks, std::string title,
                 std::span<const OptionSpec> options) {
  if (options.empty()) return;
  blocks.push_back(heading(std::move(title)));
  for (const OptionSpec& option : options) {
    std::string says(option.help);
    if (option.repeat == Repeat::kMany) says += "; may be repeated";
    if (!option.needs.empty()) says += "; requires " + as_choice(option.needs);
    blocks.push_back(term(option_term(option), std::move(says)));
  }
}

// They are the same everywhere, and explained once, on the page of the program.
void add_common_options(std::vector<Block>& blocks) {
  std::string names;
  for (const OptionSpec& option : kCommonOptions) {
    names += (names.empty() ? "`" : ", `") + option_term(option) + "`";
  }
  blocks.push_back(heading("Common options"));
  blocks.push_back(paragraph(names + "; `holdfast help` explains them."));
}

void add_json_fields(std::vector<Block>& blocks, std::span<const JsonField> fields) {
  if (fields.empty()) return;
  blocks.push_back(heading("JSON fields"));
  for (const JsonField& field : fields) {
    blocks.push_back(term(std::string(field.name), std::string(field.says)));
  }
  blocks.push_back(paragraph("`holdfast help json` tells of the fields that every document has."));
}

std::string argument_term(const ArgumentSpec& argument) {
  std::string name(argument.name);
  switch (argument.arity) {
    case Arity::kOne:
      return name;
    case Arity::kOptional:
      return "[" + name + "]";
    case Arity::kOneOrMore:
      return name + "...";
    case Arity::kAny:
      return "[" + name + "...]";
  }
  return name;
}

void add_members(std::vector<Block>& blocks, const CommandTable& table, const GroupEntry& group) {
  blocks.push_back(heading("Commands"));
  for (const CommandSpec* spec : table.members(group)) {
    blocks.push_back(term(std::string(spec->name), std::string(spec->summary)));
  }
  blocks.push_back(paragraph("`holdfast help " + std::string(group.word) +
                             " COMMAND` shows the page of one of them."));
}

void add_manual(std::vector<Block>& blocks, const GroupEntry& group) {
  if (group.manual == nullptr) return;
  for (Block& block : group.manual()) blocks.push_back(std::move(block));
}

// The lines of one section of the overview: commands of one word, and each group once.
std::vector<Block> section_lines(const CommandTable& table, Section section) {
  std::vector<Block> lines;
  const GroupEntry* last = nullptr;
  for (const CommandEntry& entry : table.commands) {
    if (entry.section != section) continue;
    const std::size_t space = entry.name.find(' ');
    const GroupEntry* group =
        space == entry.name.npos ? nullptr : table.find_group(entry.name.substr(0, space));
    if (group != nullptr && table.own_command(*group) != nullptr) continue;  // its page names them
    if (group == nullptr) {
      lines.push_back(term(std::string(entry.name), std::string(entry.spec->summary)));
    } else if (group != last) {
      lines.push_back(term(std::string(group->word) + " ...", std::string(group->summary)));
    }
    last = group;
  }
  return lines;
}

// `holdfast write [OPTION...] PATH [[--] COMMAND [ARGUMENT...]]`
std::string synopsis(const CommandSpec& spec) {
  std::string line = "holdfast " + std::string(spec.name) + " [OPTION...]";
  for (const ArgumentSpec& argument : spec.arguments) line += " " + argument_term(argument);
  if (spec.trailing == Trailing::kCommand || spec.trailing == Trailing::kFilter)
    line += " [--] COMMAND [ARGUMENT...]";
  if (spec.trailing == Trailing::kOptionalCommand || spec.trailing == Trailing::kMoreWords)
    line += " [[--] COMMAND [ARGUMENT...]]";
  return line;
}

}  // namespace

std::string option_term(const OptionSpec& option) {
  std::string text;
  if (option.letter != '\0') text = text + "-" + option.letter + ", ";
  text += "--" + std::string(option.name);
  if (option.kind != OptionKind::kFlag) text += " " + std::string(option.value);
  return text;
}

Page command_page(const CommandSpec& spec) {
  Page page{std::string(spec.name), std::string(spec.summary), {}};
  page.blocks.push_back(heading("Usage"));
  page.blocks.push_back(code(synopsis(spec)));
  if (!spec.description.empty()) {
    page.blocks.push_back(heading("Description"));
    add_paragraphs(page.blocks, spec.description);
  }
  if (!spec.arguments.empty()) page.blocks.push_back(heading("Arguments"));
  for (const ArgumentSpec& argument : spec.arguments) {
    page.blocks.push_back(term(std::string(argument.name), std::string(argument.help)));
  }
  add_options(page.blocks, "Options", spec.options);
  add_common_options(page.blocks);
  if (!spec.exits.empty()) page.blocks.push_back(heading("Exit status"));
  for (const ExitNote& note : spec.exits) {
    page.blocks.push_back(term(std::to_string(to_int(note.code)), std::string(note.says)));
  }
  if (!spec.exits.empty()) {
    page.blocks.push_back(paragraph("`holdfast help exit-codes` lists every code."));
  }
  add_json_fields(page.blocks, spec.json_fields);
  if (!spec.examples.empty()) page.blocks.push_back(heading("Examples"));
  for (const Example& example : spec.examples) {
    page.blocks.push_back(
        paragraph(std::string(example.says) + (example.says.ends_with('?') ? "" : ":")));
    page.blocks.push_back(code(std::string(example.line)));
  }
  return page;
}

Page command_page(const CommandTable& table, const CommandSpec& spec) {
  Page page = command_page(spec);
  const GroupEntry* group = table.find_group(spec.name);
  if (group == nullptr) return page;
  add_members(page.blocks, table, *group);
  add_manual(page.blocks, *group);
  return page;
}

Page group_page(const CommandTable& table, const GroupEntry& group) {
  const std::string word(group.word);
  Page page{word, std::string(group.summary), {}};
  page.blocks.push_back(heading("Usage"));
  page.blocks.push_back(code("holdfast " + word + " COMMAND [ARGUMENT...]"));
  add_members(page.blocks, table, group);
  add_manual(page.blocks, group);
  return page;
}

Page overview_page(const CommandTable& table) {
  Page page{"", "locks, supervised runs, safe files and a journal for unattended work", {}};
  page.blocks.push_back(heading("Usage"));
  page.blocks.push_back(code("holdfast [COMMON OPTION...] COMMAND [OPTION...] [ARGUMENT...]"));
  page.blocks.push_back(heading("Description"));
  page.blocks.push_back(paragraph(std::string(kAbout)));
  page.blocks.push_back(
      paragraph("`holdfast help COMMAND` shows the page of one command, and `holdfast help TOPIC` "
                "that of a topic."));
  for (int i = 0; i <= static_cast<int>(kLastSection); ++i) {
    const auto section = static_cast<Section>(i);
    const std::vector<Block> lines = section_lines(table, section);
    if (lines.empty()) continue;
    page.blocks.push_back(heading(std::string(title(section))));
    page.blocks.insert(page.blocks.end(), lines.begin(), lines.end());
  }
  page.blocks.push_back(heading("Topics"));
  for (const Topic& topic : topics()) {
    page.blocks.push_back(term(std::string(topic.name), std::string(topic.summary)));
  }
  add_options(page.blocks, "Common options", kCommonOptions);
  return page;
}

Page topic_page(const Topic& topic) {
  return {std::string(topic.name), std::string(topic.summary), topic.blocks()};
}

}  // namespace holdfast::cli
