// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"

#include <algorithm>

#include "cli/frame/command_line.h"
#include "cli/output/wrap.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

Error no_page(const CommandTable& table, const std::string& name) {
  std::vector<std::string_view> names;
  for (const CommandEntry& entry : table.commands) names.push_back(entry.name);
  for (const GroupEntry& group : table.groups) names.push_back(group.word);
  for (const Topic& topic : topics()) names.push_back(topic.name);
  auto guess = table.moved_to(name);
  if (!guess) guess = nearest(name, names);
  return usage_error("unknown-topic", "find help on", "'" + name + "'",
                     guess ? "did you mean " + std::string(*guess) + "?"
                           : "it is no command and no topic; see `holdfast help`");
}

}  // namespace

Result<Page> find_page(const CommandTable& table, std::span<const std::string> words) {
  if (words.empty()) return overview_page(table);
  std::string name = words[0];
  for (const std::string& word : words.subspan(1)) name += " " + word;
  if (const CommandSpec* spec = table.find(name)) return command_page(table, *spec);
  if (const GroupEntry* group = table.find_group(name)) return group_page(table, *group);
  if (const Topic* topic = find_topic(name)) return topic_page(*topic);
  return fail(no_page(table, name));
}

void show_page(Context& context, const Page& page) {
  const std::string text = help_text(page, context);
  context.print_page(text);
  context.emit(Json{{"topic", page.name}, {"text", text}});
}

namespace {

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kWidest = 80;
constexpr std::size_t kHelpTextMargin = 2;
constexpr std::size_t kGap = 2;

std::span<const Block> run_of_terms(std::span<const Block> blocks) {
  std::size_t n = 0;
  while (n < blocks.size() && blocks[n].kind == Block::Kind::kTerm) ++n;
  return blocks.first(n);
}

}  // namespace

// Beside the longest term that leaves them two thirds of the line.
std::size_t term_column(std::span<const Block> terms, std::size_t width) {
  std::size_t column = 0;
  for (const Block& block : terms) {
    const std::size_t size = kHelpTextMargin + columns_of(block.text) + kGap;
    if (size <= width / 3 + 1) column = std::max(column, size);
  }
  return column == 0 ? kHelpTextMargin + 4 : column;
}

namespace {

// A choice of many words goes on in the next line where it is wider than the terminal.
std::string within(std::string term, std::size_t width) {
  std::size_t begin = 0;
  while (columns_of(std::string_view(term).substr(begin)) > width) {
    const std::size_t bar = term.rfind('|', begin + width - 1);
    if (bar == term.npos || bar < begin) break;
    begin = bar + 2;
    term.insert(bar + 1, "\n" + std::string(2 * kHelpTextMargin, ' '));
  }
  return term;
}

}  // namespace

std::string term_line(const Block& block, std::size_t column, std::size_t width) {
  std::string line = within(std::string(kHelpTextMargin, ' ') + block.text, width);
  const std::size_t size = line.contains('\n') ? width : columns_of(line);
  if (size + kGap > column) {
    line += "\n" + std::string(column, ' ');
  } else {
    line += std::string(column - size, ' ');
  }
  return line + wrap(block.says, width, column, column) + "\n";
}

std::size_t help_width(std::optional<int> columns) {
  if (!columns || *columns <= 0) return kWidest;
  return std::clamp(static_cast<std::size_t>(*columns), kNarrowest, kWidest);
}

std::string help_text(const Page& page, const Context& context) {
  const std::size_t width = help_width(context.columns());
  const std::string name = page.name.empty() ? "holdfast" : "holdfast " + page.name;
  const std::string margin(kHelpTextMargin, ' ');
  std::string text = wrap(name + " - " + page.summary, width, kHelpTextMargin, 0) + "\n";
  const std::span<const Block> blocks = page.blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    const bool after_heading = i > 0 && blocks[i - 1].kind == Block::Kind::kHeading;
    switch (block.kind) {
      case Block::Kind::kHeading:
        text += "\n" + context.paint(Context::Paint::kBold, block.text) + "\n";
        break;
      case Block::Kind::kParagraph:
        if (!after_heading) text += "\n";
        text += margin + wrap(block.text, width, kHelpTextMargin, kHelpTextMargin) + "\n";
        break;
      case Block::Kind::kCode:
        text += margin + (after_heading ? "" : margin) + block.text + "\n";
        break;
      case Block::Kind::kTerm: {
        const auto terms = run_of_terms(blocks.subspan(i));
        const std::size_t column = term_column(terms, width);
        for (const Block& each : terms) text += term_line(each, column, width);
        i += terms.size() - 1;
        break;
      }
    }
  }
  return text;
}

std::string short_usage() {
  return "usage: holdfast COMMAND [OPTION...] [ARGUMENT...]\n"
         "       holdfast help             lists the commands\n"
         "       holdfast help COMMAND     explains one\n";
}

}  // namespace holdfast::cli
