// SPDX-License-Identifier: Apache-2.0
#include "cli/help/brief.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "cli/frame/option_value.h"
#include "cli/help/doc_files.h"
#include "cli/help/help.h"
#include "cli/output/page.h"
#include "cli/output/wrap.h"

namespace holdfast::cli {
namespace {

std::size_t brief_lines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

// The piece under one heading. Options that do not fit are left out, the last ones first.
struct BriefGroup {
  std::string title;
  std::vector<Block> terms;
};

const OptionSpec* option_of(const CommandSpec& spec, std::string_view name) {
  const auto found = std::ranges::find(spec.options, name, &OptionSpec::name);
  return found == spec.options.end() ? nullptr : &*found;
}

// Up to the last of these within `columns`; nothing where there is none.
std::string cut_at_pause(const std::string& text, std::size_t columns,
                         std::initializer_list<std::string_view> pauses) {
  std::size_t end = 0;
  for (const std::string_view pause : pauses) {
    const std::size_t at = text.rfind(pause, columns);
    if (at != text.npos && columns_of(text.substr(0, at)) <= columns) end = std::max(end, at);
  }
  return text.substr(0, end);
}

// One line of the usual width, or two: cut where a reader would pause, and in one line only if that
// leaves out no part of a list.
std::string brief_text(std::string_view help) {
  constexpr std::size_t kOneLine = 54;
  constexpr std::size_t kTwoLines = 104;
  std::string text = first_clause(help);
  if (columns_of(text) <= kOneLine) return text;
  const std::string line = cut_at_pause(text, kOneLine, {", ", ": ", " ("});
  const std::string_view rest = std::string_view(text).substr(line.size());
  if (columns_of(line) >= 14 && !rest.contains(" and ") && !rest.contains(" or ")) return line;
  if (columns_of(text) <= kTwoLines) return text;
  const std::string at_colon = cut_at_pause(text, kTwoLines, {": "});
  if (!at_colon.empty()) return at_colon;
  const std::string lines = cut_at_pause(text, kTwoLines, {", ", " ("});
  return lines.empty() ? cut_to(text, kTwoLines) : lines;
}

Block brief_term(const OptionSpec& option) {
  return term(option_term(option), brief_text(option.help));
}

std::vector<BriefGroup> option_groups(const CommandSpec& spec) {
  std::vector<BriefGroup> groups;
  for (const HelpGroup& each : spec.brief) {
    BriefGroup group{.title = std::string(each.title), .terms = {}};
    for (const std::string_view name : names_in(each.options)) {
      if (const auto* option = option_of(spec, name)) group.terms.push_back(brief_term(*option));
    }
    groups.push_back(std::move(group));
  }
  if (!groups.empty() || spec.options.empty()) return groups;
  BriefGroup all{.title = "Options", .terms = {}};
  for (const OptionSpec& option : spec.options) all.terms.push_back(brief_term(option));
  groups.push_back(std::move(all));
  return groups;
}

class Brief {
 public:
  explicit Brief(const Context& context)
      : context_(context), width_(help_width(context.columns())) {}

  [[nodiscard]] std::string title(const std::string& name, std::string_view summary) const {
    return wrap(name + " - " + std::string(summary), width_, 2, 0) + "\n\n";
  }
  [[nodiscard]] std::string usage(const std::string& line) const {
    return bold("Usage:") + " " + wrap(line, width_, 7, 7) + "\n";
  }
  [[nodiscard]] std::string bold(std::string_view text) const {
    return context_.paint(Context::Paint::kBold, text);
  }
  // One column for the terms of all groups.
  [[nodiscard]] std::string groups(const std::vector<BriefGroup>& groups) const {
    std::vector<Block> all;
    for (const BriefGroup& group : groups)
      all.insert(all.end(), group.terms.begin(), group.terms.end());
    const std::size_t column = term_column(all, width_);
    std::string text;
    for (const BriefGroup& group : groups) {
      if (group.terms.empty()) continue;
      text += bold(group.title) + "\n";
      for (const Block& each : group.terms) text += term_line(each, column, width_);
    }
    return text;
  }
  // As many terms as fit into `room` lines; returns the number of those that are left out.
  std::size_t fit(std::vector<BriefGroup>& all, std::size_t room) const {
    std::size_t left_out = 0;
    while (!all.empty() && brief_lines(groups(all)) > room) {
      all.back().terms.pop_back();
      ++left_out;
      if (all.back().terms.empty()) all.pop_back();
    }
    return left_out;
  }
  [[nodiscard]] std::size_t width() const { return width_; }

 private:
  const Context& context_;
  std::size_t width_;
};

std::string examples_text(const Brief& brief, std::span<const Example> examples, bool explained) {
  if (examples.empty()) return {};
  std::string text = "\n" + brief.bold("Examples") + "\n";
  for (const Example& example : examples.first(std::min<std::size_t>(examples.size(), 2))) {
    if (explained) text += "  # " + std::string(example.says) + "\n";
    text += "  " + std::string(example.line) + "\n";
  }
  return text;
}

std::string last_line(const std::string& name, std::size_t left_out) {
  std::string text =
      "\n`holdfast " + name + (name.empty() ? "" : " ") + "--help` is the whole page";
  if (left_out != 0) {
    text += " (" + std::to_string(left_out) + (left_out == 1 ? " more option)" : " more options)");
  }
  return text + ".\n";
}

std::string usage_line(const Page& page) {
  const auto line = std::ranges::find(page.blocks, Block::Kind::kCode, &Block::kind);
  return line == page.blocks.end() ? std::string() : line->text;
}

std::string command_brief(const CommandTable& table, const CommandSpec& spec,
                          const Context& context) {
  const Brief brief(context);
  const std::string name(spec.name);
  std::string head = brief.title("holdfast " + name, spec.summary);
  head += brief.usage(usage_line(command_page(spec)));
  if (const GroupEntry* group = table.find_group(spec.name)) {
    head += brief.usage("holdfast " + name + " " + joined(table.member_words(*group), "|"));
  }
  std::vector<BriefGroup> groups = option_groups(spec);
  const std::string plain = examples_text(brief, spec.examples, false);
  std::size_t used = brief_lines(head) + 1 + brief_lines(plain) + 2;
  brief.fit(groups, kBriefLines - std::min(used, kBriefLines));
  std::size_t shown = 0;
  for (const BriefGroup& group : groups) shown += group.terms.size();
  used += brief_lines(brief.groups(groups));

  std::vector<BriefGroup> with_arguments{{.title = "Arguments", .terms = {}}};
  for (const ArgumentSpec& argument : spec.arguments) {
    with_arguments[0].terms.push_back(
        term(std::string(argument.name), first_clause(argument.help)));
  }
  with_arguments.insert(with_arguments.end(), groups.begin(), groups.end());
  const std::size_t more =
      brief_lines(brief.groups(with_arguments)) - brief_lines(brief.groups(groups));
  if (used + more <= kBriefLines) {
    groups = std::move(with_arguments);
    used += more;
  }
  const std::string explained = examples_text(brief, spec.examples, true);
  const bool room = used + brief_lines(explained) - brief_lines(plain) <= kBriefLines;
  const std::string options = brief.groups(groups);
  return head + (options.empty() ? "" : "\n") + options + (room ? explained : plain) +
         last_line(name, spec.options.size() - shown);
}

std::string group_brief(const CommandTable& table, const GroupEntry& group,
                        const Context& context) {
  const Brief brief(context);
  const std::string word(group.word);
  std::vector<BriefGroup> members{{.title = "Commands", .terms = {}}};
  for (const CommandSpec* spec : table.members(group)) {
    members[0].terms.push_back(term(std::string(spec->name), std::string(spec->summary)));
  }
  const std::string head = brief.title("holdfast " + word, group.summary) +
                           brief.usage("holdfast " + word + " COMMAND [ARGUMENT...]");
  brief.fit(members, kBriefLines - brief_lines(head) - 3);
  return head + "\n" + brief.groups(members) + last_line(word, 0);
}

// The commands and groups that the overview lists under a heading.
std::string words_below(const Page& page, const std::string& heading) {
  std::string words;
  bool below = false;
  for (const Block& block : page.blocks) {
    if (block.kind == Block::Kind::kHeading) below = block.text == heading;
    if (!below || block.kind != Block::Kind::kTerm) continue;
    words += (words.empty() ? "" : " ") + block.text.substr(0, block.text.find(' '));
  }
  return words;
}

std::string program_brief(const CommandTable& table, const Context& context) {
  constexpr std::array<std::string_view, 2> kProgramExamples{
      "holdfast run --name nightly --timeout 1h -- ./backup.sh",
      "holdfast lock deploy -- ./deploy.sh"};
  const Brief brief(context);
  const Page page = overview_page(table);
  std::vector<BriefGroup> sections{{.title = "Commands", .terms = {}}};
  for (int i = 0; i <= static_cast<int>(kLastSection); ++i) {
    const std::string name(title(static_cast<Section>(i)));
    const std::string words = words_below(page, name);
    if (!words.empty()) sections[0].terms.push_back(term(name, words));
  }
  std::string text = brief.title("holdfast", page.summary) +
                     brief.usage("holdfast COMMAND [OPTION...] [ARGUMENT...]") + "\n";
  text += brief.groups(sections) + "\n" + brief.bold("Examples") + "\n";
  for (const std::string_view line : kProgramExamples) text += "  " + std::string(line) + "\n";
  return text + "\n`holdfast COMMAND -h` explains a command, `holdfast --help` lists everything.\n";
}

}  // namespace

std::string first_clause(std::string_view help) {
  std::size_t end = help.size();
  for (const std::string_view stop : {"; ", " (see "}) end = std::min(end, help.find(stop));
  return std::string(help.substr(0, end));
}

Result<std::string> brief_help(const CommandTable& table, std::span<const std::string> words,
                               const Context& context) {
  const Page page = HF_TRY(find_page(table, words));
  if (words.empty()) return program_brief(table, context);
  if (const CommandSpec* spec = table.find(page.name)) return command_brief(table, *spec, context);
  if (const GroupEntry* group = table.find_group(page.name))
    return group_brief(table, *group, context);
  return help_text(page, context);
}

}  // namespace holdfast::cli
