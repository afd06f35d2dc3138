// SPDX-License-Identifier: Apache-2.0
#include "cli/output/wrap.h"

#include <algorithm>

namespace holdfast::cli {

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  if (used < columns) text.append(columns - used, ' ');
  return text;
}

std::string cut_to(std::string_view text, std::size_t columns) {
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  std::size_t seen = 0;
  std::size_t last = 0;  // where the character in the last column starts
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_start(text[i])) continue;
    if (++seen == columns) last = i;
    if (seen > columns) return std::string(text.substr(0, last)) + (columns == 0 ? "" : "…");
  }
  return std::string(text);
}

namespace {

constexpr std::string_view kBlanks = " \n";

// The word at the front of `text`, which does not start with a blank.
std::string_view first_word(std::string_view text, std::size_t room) {
  std::size_t end = text.find_first_of(kBlanks);
  const std::string_view plain = text.substr(0, end);
  const auto open = [&] { return std::ranges::count(text.substr(0, end), '`') % 2 != 0; };
  while (end != text.npos && open()) end = text.find_first_of(kBlanks, end + 1);
  const std::string_view whole = text.substr(0, end);
  return open() || columns_of(whole) > room ? plain : whole;
}

}  // namespace

std::string wrap(std::string_view text, std::size_t width, std::size_t indent, std::size_t first) {
  std::string out;
  std::size_t column = first;
  bool at_start = true;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (text.empty()) return out;
    const std::string_view word = first_word(text, width - std::min(indent, width));
    text.remove_prefix(word.size());
    const std::size_t size = columns_of(word);
    if (!at_start && column + 1 + size > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
      at_start = true;
    }
    if (!at_start) {
      out += ' ';
      ++column;
    }
    out += word;
    column += size;
    at_start = false;
  }
}

}  // namespace holdfast::cli
