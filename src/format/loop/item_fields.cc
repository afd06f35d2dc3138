// SPDX-License-Identifier: Apache-2.0
#include "format/loop/loop_source.h"

#include <algorithm>

#include "format/json/json_span.h"

namespace holdfast {
namespace {

bool is_scalar(std::string_view value) {
  return !value.empty() && value != "null" && value.front() != '{' && value.front() != '[';
}

bool counts(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

// Adds the words below `value`. It goes as deep as the path is long, and one list more.
void collect(std::string_view value, std::span<const std::string> path,
             std::vector<std::string>& words) {
  if (value.empty()) return;
  if (path.empty() && is_scalar(value)) {
    words.push_back(json_value_text(value));
    return;
  }
  if (value.front() == '[' && (path.empty() || !counts(path.front()))) {
    for (std::size_t at = skip_json_blanks(value, 1); at + 1 < value.size();) {
      const std::size_t end = std::min(json_value_end(value, at), value.size());
      if (end == at) return;  // no JSON after all
      const std::string_view element = value.substr(at, end - at);
      // A list in a list has no words of its own.
      if (!element.starts_with('[')) collect(element, path, words);
      at = skip_json_blanks(value, end);
      if (at < value.size() && value[at] == ',') at = skip_json_blanks(value, at + 1);
    }
    return;
  }
  if (path.empty()) return;
  const auto inner = find_json_value(value, path.first(1));
  if (inner) collect(*inner, path.subspan(1), words);
}

}  // namespace

std::optional<std::string> item_scalar(std::string_view item, std::span<const std::string> path) {
  if (path.empty()) return std::nullopt;
  const auto value = find_json_value(item, path);
  if (!value || !is_scalar(*value)) return std::nullopt;
  return json_value_text(*value);
}

std::optional<std::string> item_id(std::string_view item, std::span<const std::string> path) {
  if (path.empty()) return std::nullopt;
  const auto value = find_json_value(item, path);
  if (!value || !is_scalar(*value)) return std::nullopt;
  const bool whole_number = value->find_first_not_of("-0123456789") == value->npos;
  if (value->front() != '"' && !whole_number) return std::nullopt;
  return json_value_text(*value);
}

std::vector<std::string> item_words(std::string_view item, std::span<const std::string> path) {
  std::vector<std::string> words;
  if (!path.empty()) collect(item, path, words);
  return words;
}

}  // namespace holdfast
