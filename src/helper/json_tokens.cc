// SPDX-License-Identifier: Apache-2.0
#include "helper/json_tokens.h"

#include <cstddef>

namespace holdfast::helper {
namespace {

constexpr std::string_view kEscapes = "\"\\/bfnrt";
constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

// A longer one might be too large to be a number for the other parser.
constexpr std::size_t kMaxPlainDigits = 100;

bool is_plain_number(std::string_view token) {
  if (token.size() > kMaxPlainDigits) return false;
  if (token.starts_with('-')) token.remove_prefix(1);
  const std::size_t whole = digits_at(token);
  if (whole == 0 || (whole > 1 && token[0] == '0')) return false;
  token.remove_prefix(whole);
  if (token.empty()) return true;
  if (token[0] != '.') return false;
  token.remove_prefix(1);
  return !token.empty() && digits_at(token) == token.size();
}

// The tokenizer has checked the encoding, and that no control character is in it.
bool is_plain_string(std::string_view token) {
  if (token.size() < 2 || token.back() != '"') return false;
  const std::string_view inside = token.substr(1, token.size() - 2);
  for (std::size_t at = inside.find('\\'); at != std::string_view::npos;
       at = inside.find('\\', at + 2)) {
    if (at + 1 == inside.size()) return false;
    if (kEscapes.find(inside[at + 1]) == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

std::string_view without_space_behind(std::string_view token) {
  const std::size_t last = token.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view() : token.substr(0, last + 1);
}

bool is_good_scalar(std::string_view token) {
  if (token.starts_with('"')) return is_plain_string(token);
  return is_plain_number(token) || token == "true" || token == "false" || token == "null";
}

std::string string_content(std::string_view token) {
  const std::string_view inside = token.substr(1, token.size() - 2);
  std::string content;
  std::size_t done = 0;
  for (std::size_t at = inside.find('\\'); at != std::string_view::npos;
       at = inside.find('\\', done)) {
    content += inside.substr(done, at - done);
    content += kMeanings[kEscapes.find(inside[at + 1])];
    done = at + 2;
  }
  return content += inside.substr(done);
}

std::optional<std::string_view> plain_key(const char* behind_quote) {
  const char* end = behind_quote;
  while (*end != '"' && *end != '\\') ++end;
  if (*end == '\\') return std::nullopt;
  return std::string_view(behind_quote, end);
}

}  // namespace holdfast::helper
