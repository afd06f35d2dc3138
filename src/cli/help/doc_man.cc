// SPDX-License-Identifier: Apache-2.0
//
// Pages as man(7) source. Every line of text is made safe: a leading dot or quote would be a macro.
#include <algorithm>
#include <cctype>

#include "cli/help/doc_files.h"
#include "cli/output/wrap.h"

namespace holdfast::cli {
namespace {

// The date of the manual, not of the build: two builds of one source are the same. Set it when a
// release changes the manual.
constexpr std::string_view kDate = "2026-11-15";

std::string doc_man_upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

constexpr std::size_t kSourceWidth = 78;

// Text that is filled again when it is shown.
std::string filled(std::string_view text) {
  std::string out = wrap(man_escape(text), kSourceWidth, 0, 0) + "\n";
  for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1) {
    if (out[at] == '.' || out[at] == '\'') out.insert(at, "\\&");
  }
  return out;
}

std::string verbatim_line(std::string_view text) {
  const std::string escaped = man_escape(text);
  return (escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" : "") + escaped + "\n";
}

std::string heading_line(const std::string& text) {
  return ".SH " + (text == "Usage" ? "SYNOPSIS" : doc_man_upper(man_escape(text))) + "\n";
}

std::string page_name(const Page& page) {
  return page.name.empty() ? "holdfast" : "holdfast-" + file_stem(page.name);
}

std::string man(const Page& page, int section, const std::string& see_also) {
  const std::string name = page_name(page);
  std::string text = ".\\\" Made by holdfast-docgen from the command table; do not edit.\n.TH " +
                     doc_man_upper(name) + " " + std::to_string(section) + " " +
                     std::string(kDate) +
                     " \"holdfast " HOLDFAST_VERSION "\" \"holdfast manual\"\n.SH NAME\n" +
                     man_escape(name) + " \\- " + man_escape(page.summary) + "\n";
  Block::Kind previous = Block::Kind::kHeading;
  for (const Block& block : page.blocks) {
    switch (block.kind) {
      case Block::Kind::kHeading:
        text += heading_line(block.text);
        break;
      case Block::Kind::kParagraph:
        if (previous != Block::Kind::kHeading) text += ".PP\n";
        text += filled(block.text);
        break;
      case Block::Kind::kTerm:
        text += ".TP\n.B " + verbatim_line(block.text) + filled(block.says);
        break;
      case Block::Kind::kCode:
        if (previous != Block::Kind::kHeading) text += ".PP\n.RS 4\n";
        text += ".nf\n" + verbatim_line(block.text) + ".fi\n";
        if (previous != Block::Kind::kHeading) text += ".RE\n";
        break;
    }
    previous = block.kind;
  }
  return text + ".SH SEE ALSO\n" + see_also;
}

}  // namespace

std::string man_escape(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '`') {
      quoted = !quoted;
      out += quoted ? "\\fB" : "\\fR";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '"') {
      out += "\\(dq";
    } else {
      out += c;
    }
  }
  return out;
}

std::vector<DocFile> man_files(const CommandTable& table) {
  const std::vector<KindedPage> pages = pages_below_overview(table);
  std::string all;
  for (const KindedPage& each : pages) {
    const bool last = &each == &pages.back();
    all += ".BR " + man_escape(page_name(each.page)) +
           (each.kind == PageKind::kTopic ? " (7)" : " (1)") + (last ? "\n" : ",\n");
  }
  std::vector<DocFile> files{{"holdfast.1", man(overview_page(table), 1, all)}};
  for (const KindedPage& each : pages) {
    const int section = each.kind == PageKind::kTopic ? 7 : 1;
    files.push_back({page_name(each.page) + "." + std::to_string(section),
                     man(each.page, section, ".BR holdfast (1)\n")});
  }
  return files;
}

}  // namespace holdfast::cli
