// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/status_text.h"

#include <algorithm>
#include <charconv>

namespace holdfast::proc {
namespace {

// The `word`th number of the line that begins with `key`, which is not the first line.
template <typename Number>
std::optional<Number> number_in(std::string_view text, std::string_view key, int word) {
  std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  for (; word > 0; --word) {
    at = text.find_first_of("\t\n");
    if (at == std::string_view::npos || text[at] == '\n') return std::nullopt;
    text.remove_prefix(at + 1);
  }
  Number number{};
  const char* const end = text.data() + text.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): `end` is its size
  const auto read = std::from_chars(text.data(), end, number);
  // Behind the number the line goes on or ends; a text that was cut there proves nothing.
  if (read.ec != std::errc() || read.ptr == end || (*read.ptr != '\t' && *read.ptr != '\n')) {
    return std::nullopt;
  }
  return number;
}

// The numbers in the line that begins with `key`; 0 without such a line, or where it was cut.
int count_in(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return 0;
  const std::size_t end = text.find('\n', at + 1);
  if (end == std::string_view::npos) return 0;
  return static_cast<int>(std::ranges::count(text.substr(at + 1, end - at), '\t'));
}

}  // namespace

std::optional<StatusFacts> parse_status_text(std::string_view text) {
  const auto process = number_in<int>(text, "\nTgid:\t", 0);
  const auto uid = number_in<std::uint32_t>(text, "\nUid:\t", 1);  // real, effective, saved, fs
  if (!process || !uid) return std::nullopt;
  const int levels = count_in(text, "\nNSpid:\t");
  return StatusFacts{
      .process = os::Pid{*process},
      .uid = *uid,
      .pid_levels = levels,
      .namespace_init = levels > 1 && number_in<int>(text, "\nNSpid:\t", levels - 1) == 1};
}

}  // namespace holdfast::proc
