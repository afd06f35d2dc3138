// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_span.h"

#include <algorithm>

#include "format/json/json.h"

namespace holdfast {
namespace {

constexpr std::size_t kJsonSpanNone = std::string_view::npos;

// `at` is the opening quote.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return kJsonSpanNone;
}

// The content of a string; `raw` has its quotes.
std::string string_content(std::string_view raw) {
  const std::string_view inside = raw.substr(1, raw.size() - 2);
  if (inside.find('\\') == kJsonSpanNone) return std::string(inside);
  const Json value = parse_json(raw);
  const std::string* text = value.text();
  return text != nullptr ? *text : std::string(inside);
}

bool is_key(std::string_view raw, std::string_view key) {
  if (raw.find('\\') == kJsonSpanNone) return raw.substr(1, raw.size() - 2) == key;
  return string_content(raw) == key;
}

// Goes through the members of an object or the elements of an array, one call each.
class Members {
 public:
  explicit Members(std::string_view container) : text_(container) {}

  // The key with its quotes (nothing in an array) and the value.
  struct Member {
    std::string_view key;
    std::string_view value;
  };
  std::optional<Member> next() {
    at_ = skip_json_blanks(text_, at_);
    if (at_ < text_.size() && text_[at_] == ',') at_ = skip_json_blanks(text_, at_ + 1);
    if (at_ + 1 >= text_.size()) return std::nullopt;  // the closing bracket
    Member member;
    if (text_.front() == '{') {
      member.key = take();
      at_ = skip_json_blanks(text_, at_);
      at_ = skip_json_blanks(text_, std::min(at_ + 1, text_.size()));  // the colon
    }
    member.value = take();
    if (member.value.empty()) return std::nullopt;
    return member;
  }

 private:
  std::string_view take() {
    const std::size_t begin = at_;
    at_ = std::min(json_value_end(text_, begin), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 1;
};

std::optional<std::string_view> member_of(std::string_view container, std::string_view key) {
  std::optional<std::string_view> found;
  if (container.empty() || (container.front() != '{' && container.front() != '[')) return found;
  Members members(container);
  for (std::size_t number = 0; const auto member = members.next(); ++number) {
    const bool named =
        container.front() == '{' ? is_key(member->key, key) : key == std::to_string(number);
    if (named) found = member->value;
  }
  return found;
}

}  // namespace

std::size_t skip_json_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kJsonBlanks, at), text.size());
}

std::size_t json_value_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = string_end(text, at);
      if (at == kJsonSpanNone) return kJsonSpanNone;
    } else if (c == '{' || c == '[') {
      ++depth;
      ++at;
      continue;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return at;
      --depth;
      ++at;
    } else if (depth > 0) {
      ++at;
      continue;
    } else {
      // A number or a word ends before what cannot be in one.
      return std::min(text.find_first_of(",:]}[{\" \t\r\n", at), text.size());
    }
    if (depth == 0) return at;
  }
  return kJsonSpanNone;
}

bool json_deeper_than(std::string_view text, std::size_t levels) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = std::min(string_end(text, at), text.size());
      continue;
    }
    if ((c == '{' || c == '[') && ++depth > levels) return true;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    ++at;
  }
  return false;
}

std::optional<std::string_view> find_json_value(std::string_view json,
                                                std::span<const std::string> keys) {
  std::optional<std::string_view> value = json;
  for (const std::string& key : keys) {
    value = member_of(*value, key);
    if (!value) return std::nullopt;
  }
  return value;
}

std::string json_value_text(std::string_view value) {
  if (value.starts_with('"')) return string_content(value);
  if (!value.starts_with('{') && !value.starts_with('[')) return std::string(value);
  return laid_out(value, {});
}

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
