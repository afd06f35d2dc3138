// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_layout.h"

#include <algorithm>

#include "format/json/json_span.h"

namespace holdfast {
namespace {

class Writer {
 public:
  explicit Writer(const JsonLayout& layout) : layout_(layout) {}

  void write(std::string_view json) {
    out.reserve(json.size());
    for (std::size_t at = skip_json_blanks(json, 0); at < json.size();) {
      const std::size_t end = token_end(json, at);
      const std::size_t next = skip_json_blanks(json, end);
      token(json.substr(at, end - at), next < json.size() ? json[next] : '\0');
      at = next;
    }
  }

  std::string out;

 private:
  // A string, a number or a word as a whole; brackets, commas and colons one by one.
  static std::size_t token_end(std::string_view json, std::size_t at) {
    if (std::string_view("{}[],:").contains(json[at])) return at + 1;
    return std::min(json_value_end(json, at), json.size());
  }

  void token(std::string_view text, char next) {
    const char first = text.front();
    if (first == '}' || first == ']') {
      depth_ -= std::min<std::size_t>(depth_, 1);
      if (!just_opened_) new_line();
    }
    out += text;
    just_opened_ = first == '{' || first == '[';
    if (just_opened_) {
      ++depth_;
      if (next != '}' && next != ']') new_line();
    } else if (first == ',') {
      layout_.newline.empty() ? out.append(layout_.after_comma) : new_line();
    } else if (first == ':') {
      out += layout_.after_colon;
    }
  }

  std::string& new_line() {
    if (layout_.newline.empty()) return out;
    out += layout_.newline;
    out += layout_.base;
    for (std::size_t i = 0; i < depth_; ++i) out += layout_.unit;
    return out;
  }

  const JsonLayout& layout_;
  std::size_t depth_ = 0;
  bool just_opened_ = false;
};

// The blanks from `at` on. A line end among them is nobody's layout and becomes a blank.
std::string_view blanks_of_one_line(std::string_view text, std::size_t at) {
  const std::string_view blanks = text.substr(at, skip_json_blanks(text, at) - at);
  return blanks.find_first_of("\r\n") == std::string_view::npos ? blanks : " ";
}

}  // namespace

std::string laid_out(std::string_view json, const JsonLayout& layout) {
  Writer writer(layout);
  writer.write(json);
  return std::move(writer.out);
}

JsonLayout layout_of(std::string_view json, std::string_view base) {
  JsonLayout layout{.base = std::string(base)};
  const std::size_t key = skip_json_blanks(json, 1);
  if (key >= json.size() || json[key] != '"') return layout;  // it is empty
  const std::size_t colon = skip_json_blanks(json, json_value_end(json, key));
  if (colon >= json.size()) return layout;
  layout.after_colon = blanks_of_one_line(json, colon + 1);

  const std::string_view before_key = json.substr(1, key - 1);
  if (const std::size_t line = before_key.rfind('\n'); line != std::string_view::npos) {
    layout.newline = line > 0 && before_key[line - 1] == '\r' ? "\r\n" : "\n";
    const std::string_view indent = before_key.substr(line + 1);
    layout.unit = indent.starts_with(base) ? indent.substr(base.size()) : "  ";
    return layout;
  }
  const std::size_t value = skip_json_blanks(json, colon + 1);
  const std::size_t comma =
      skip_json_blanks(json, std::min(json_value_end(json, value), json.size()));
  if (comma < json.size() && json[comma] == ',')
    layout.after_comma = blanks_of_one_line(json, comma + 1);
  // An object with one key shows no comma; who writes a blank behind a colon writes it there, too.
  if (comma < json.size() && json[comma] != ',') layout.after_comma = layout.after_colon;
  return layout;
}

}  // namespace holdfast
