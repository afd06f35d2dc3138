// SPDX-License-Identifier: Apache-2.0
#include "gc/pattern.h"

namespace holdfast::gc {
namespace {

// Greedy with one step back: linear in practice, never exponential.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

std::optional<std::string> match(std::string_view pattern, std::string_view name) {
  if (!matches(pattern, name)) return std::nullopt;
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return std::string(name);
  for (std::size_t size = 0; star + size <= name.size(); ++size) {
    if (matches(pattern.substr(star + 1), name.substr(star + size))) {
      return std::string(name.substr(star, size));
    }
  }
  return std::nullopt;
}

std::string expand(std::string_view text, std::string_view name, std::string_view star) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with("{name}")) {
      out += name;
      text.remove_prefix(6);
    } else if (text.starts_with("{*}")) {
      out += star;
      text.remove_prefix(3);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string_view unknown_placeholder(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string_view::npos; ++at) {
    const std::size_t end = text.find('}', at);
    const std::string_view braces =
        text.substr(at, end == std::string_view::npos ? end : end + 1 - at);
    if (braces != "{name}" && braces != "{*}") return braces;
  }
  return {};
}

}  // namespace holdfast::gc
