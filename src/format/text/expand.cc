// SPDX-License-Identifier: Apache-2.0
#include "format/text/expand.h"

#include <algorithm>

#include "base/path_text.h"

namespace holdfast {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

Error bad_expansion(std::string_view text, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kConfig,
          .op = "expand",
          .subject = std::string(text),
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

Result<std::string> value_of(std::string_view text, const std::string& name,
                             const VariableLookup& lookup) {
  std::optional<std::string> value = lookup(name);
  if (!value)
    return fail(bad_expansion(text, "unset-variable", "the variable " + name + " is not set"));
  return *std::move(value);
}

}  // namespace

bool is_variable_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

Result<std::string> expand(std::string_view text, const VariableLookup& lookup) {
  std::string result;
  std::size_t at = 0;
  if (text == "~" || text.starts_with("~/")) {
    result = HF_TRY(value_of(text, "HOME", lookup));
    at = 1;
  }
  for (;;) {
    const std::size_t open = text.find("${", at);
    result += text.substr(at, open - at);
    if (open == std::string_view::npos) return result;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) {
      return fail(bad_expansion(text, "bad-expansion", "`${` has no `}`"));
    }
    const std::string name(text.substr(open + 2, close - open - 2));
    if (!is_variable_name(name)) {
      return fail(
          bad_expansion(text, "bad-expansion",
                        "between `${` and `}` stands `" + name + "`, which is no variable's name"));
    }
    result += HF_TRY(value_of(text, name, lookup));
    at = close + 1;
  }
}

namespace {

constexpr std::size_t kPlaceholderNone = std::string_view::npos;

bool is_field_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '@' || c == '.' || static_cast<unsigned char>(c) > 127;
}

bool is_field(std::string_view text) {
  return std::ranges::all_of(text, is_field_byte) && split_field(text).has_value();
}

Error bad_placeholder(std::string_view text, std::string detail) {
  return {.code = ErrorCode::kConfig,
          .op = "read",
          .subject = std::string(text),
          .cause = "bad-placeholder",
          .detail = std::move(detail)};
}

}  // namespace

std::optional<std::vector<std::string>> split_field(std::string_view field) {
  std::vector<std::string> names;
  for (std::size_t at = 0;;) {
    const std::size_t dot = std::min(field.find('.', at), field.size());
    if (dot == at) return std::nullopt;
    names.emplace_back(field.substr(at, dot - at));
    if (dot == field.size()) return names;
    at = dot + 1;
  }
}

Result<std::vector<TextPiece>> split_placeholders(std::string_view text) {
  std::vector<TextPiece> pieces;
  std::string plain;
  const auto end_plain = [&] {
    if (!plain.empty()) pieces.push_back({.text = std::move(plain)});
    plain.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t brace = std::min(text.find_first_of("{}", at), text.size());
    plain += text.substr(at, brace - at);
    at = brace;
    if (at == text.size()) break;
    if (text.substr(at, 2) == "{{" || text.substr(at, 2) == "}}") {
      plain += text[at];
      at += 2;
      continue;
    }
    if (text[at] == '}')
      return fail(bad_placeholder(text, "a `}` without its `{`; a brace alone is `}}`"));
    const std::size_t close = text.find('}', at);
    const std::string_view field =
        text.substr(at + 1, (close == kPlaceholderNone ? text.size() : close) - at - 1);
    if (close == kPlaceholderNone || !is_field(field)) {
      return fail(
          bad_placeholder(text, "`{" + std::string(field) + (close == kPlaceholderNone ? "" : "}") +
                                    "` is no placeholder for a field; a brace alone is `{{`"));
    }
    end_plain();
    pieces.push_back({.text = std::string(field), .is_field = true});
    at = close + 1;
  }
  end_plain();
  return pieces;
}

std::optional<std::string> find_shell_placeholder(std::string_view line) {
  for (std::size_t open = line.find('{'); open != kPlaceholderNone;
       open = line.find('{', open + 1)) {
    const char before = open == 0 ? ' ' : line[open - 1];
    if (before == '$' || before == '{') continue;
    const std::size_t close = line.find('}', open);
    if (close == kPlaceholderNone) return std::nullopt;
    if (is_field(line.substr(open + 1, close - open - 1))) {
      return std::string(line.substr(open, close + 1 - open));
    }
  }
  return std::nullopt;
}

namespace {

// Appends the components of `path` to `place`, whose first `root` characters stay.
void walk(std::string& place, std::size_t root, std::string_view path) {
  while (!path.empty()) {
    const auto* const end = std::find_if(path.begin(), path.end(), is_separator);
    const auto length = static_cast<std::size_t>(end - path.begin());
    const std::string_view component = path.substr(0, length);
    path.remove_prefix(std::min(length + 1, path.size()));
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      const std::size_t slash = place.rfind('/');
      place.erase(slash == std::string::npos ? root : std::max(slash, root));
    } else {
      if (place.size() > root) place += '/';
      place += component;
    }
  }
}

std::string root_of(std::string_view path) {
  std::string root(path.substr(0, root_length(path)));
  std::ranges::replace_if(root, is_separator, '/');
  if (!root.ends_with('/')) root += '/';
  return root;
}

}  // namespace

std::string lexical_path(std::string_view base, std::string_view path) {
  const bool is_rooted = is_rooted_path(path);
  std::string place = root_of(is_absolute_path(path) ? path : base);
  const std::size_t root = place.size();
  if (!is_rooted) walk(place, root, base.substr(root_length(base)));
  walk(place, root, path.substr(root_length(path)));
  return place;
}

std::string_view lexical_parent(std::string_view path) {
  const std::string_view parent = parent_path(path);
  return parent.empty() ? "/" : parent;
}

}  // namespace holdfast
