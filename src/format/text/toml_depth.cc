// SPDX-License-Identifier: Apache-2.0
#include "format/text/toml_depth.h"

#include <algorithm>

namespace holdfast {
namespace {

// Behind the string that begins at `at`; the end of the text where it is not closed.
std::size_t skip_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
  const bool multi_line = text.substr(at).starts_with(three);
  at += multi_line ? three.size() : 1;
  for (; at < text.size(); ++at) {
    if (escapes && text[at] == '\\') {
      ++at;
    } else if (!multi_line && (text[at] == quote || text[at] == '\n')) {
      return at + 1;
    } else if (multi_line && text.substr(at).starts_with(three)) {
      at += three.size();
      // Up to two quotes may stand directly before the closing ones.
      for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
      return at;
    }
  }
  return text.size();
}

// A column counts characters: the bytes of UTF-8 that begin one.
TomlKeyPlace place_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto begins_one = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  };
  const auto line = before.substr(line_start);
  return {.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
          .column = 1 + static_cast<int>(std::count_if(line.begin(), line.end(), begins_one))};
}

}  // namespace

std::optional<TomlKeyPlace> too_deep_toml_key(std::string_view text) {
  std::size_t parts = 1;
  for (std::size_t at = 0; at < text.size();) {
    switch (text[at]) {
      case '"':
      case '\'':
        at = skip_string(text, at);
        continue;
      case '#':
        at = std::min(text.find('\n', at), text.size());
        continue;
      case '.':
        if (++parts > kMaxTomlKeyParts) {
          return place_of(text, at);
        }
        break;
      case '\n':
      case '=':
      case ',':
      case '[':
      case ']':
      case '{':
      case '}':
        parts = 1;
        break;
      default:
        break;
    }
    ++at;
  }
  return std::nullopt;
}

}  // namespace holdfast
