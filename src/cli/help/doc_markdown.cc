// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "cli/help/doc_files.h"

namespace holdfast::cli {
namespace {

constexpr std::string_view kMadeBy =
    "<!-- Made by `./dev docs` from the command table; do not edit. -->\n";

// Outside backticks, what Markdown would read as markup is escaped.
std::string escaped(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '`') quoted = !quoted;
    if (!quoted && std::string_view("*_<[\\").contains(c)) out += '\\';
    out += c;
  }
  return out;
}

// Code in backticks, linked where it names another page.
std::string term_markdown(const std::string& text, const std::set<std::string>& names) {
  const std::string name = text.ends_with(" ...") ? text.substr(0, text.size() - 4) : text;
  if (!names.contains(name)) return "`" + text + "`";
  return "[`" + text + "`](" + file_stem(name) + ".md)";
}

std::string markdown(const Page& page, const std::set<std::string>& names) {
  const std::string title = page.name.empty() ? "holdfast" : "holdfast " + page.name;
  std::string text = std::string(kMadeBy) + "\n# " + title + "\n\n" + escaped(page.summary) + "\n";
  Block::Kind previous = Block::Kind::kHeading;
  for (const Block& block : page.blocks) {
    const bool list_goes_on = block.kind == Block::Kind::kTerm && previous == block.kind;
    if (!list_goes_on) text += "\n";
    switch (block.kind) {
      case Block::Kind::kHeading:
        text += "## " + block.text + "\n";
        break;
      case Block::Kind::kParagraph:
        text += escaped(block.text) + "\n";
        break;
      case Block::Kind::kTerm:
        text += "- " + term_markdown(block.text, names) + ": " + escaped(block.says) + "\n";
        break;
      case Block::Kind::kCode:
        text += "```sh\n" + block.text + "\n```\n";
        break;
    }
    previous = block.kind;
  }
  return text;
}

}  // namespace

std::vector<DocFile> markdown_files(const CommandTable& table) {
  const std::vector<KindedPage> pages = pages_below_overview(table);
  std::set<std::string> names;
  for (const KindedPage& each : pages) names.insert(each.page.name);
  std::vector<DocFile> files{{"README.md", markdown(overview_page(table), names)}};
  for (const KindedPage& each : pages) {
    const bool lists_pages = each.kind == PageKind::kGroup;
    files.push_back({file_stem(each.page.name) + ".md",
                     markdown(each.page, lists_pages ? names : std::set<std::string>())});
  }
  return files;
}

}  // namespace holdfast::cli
