// SPDX-License-Identifier: Apache-2.0
#include "format/session/pid_file_text.h"

#include <charconv>
#include <vector>

#include "format/json/json.h"
#include "format/lock/foreign_lock.h"

namespace holdfast {
namespace {

constexpr std::string_view kPidFileTextSpace = " \t\r\n\f\v";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t first = text.find_first_not_of(kPidFileTextSpace);
    if (first == text.npos) return words;
    text.remove_prefix(first);
    const std::size_t end = std::min(text.find_first_of(kPidFileTextSpace), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<std::uint64_t> pid_file_text_parse_digits(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
  if (std::from_chars(text.data(), end, value).ec != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> ticks_of_object(std::string_view bytes) {
  const auto object = parse_json(bytes);
  if (!object.is_object()) return std::nullopt;
  const auto ticks = json_count(object, "starttime");
  return ticks ? ticks : json_count(object, "start_ticks");
}

// nullopt: not exactly two numbers.
std::optional<PidFileText> two_numbers(const std::vector<std::string_view>& words) {
  if (words.size() != 2) return std::nullopt;
  const auto ticks = pid_file_text_parse_digits(words[1]);
  const ForeignLock first = read_foreign_lock(words[0]);
  if (!ticks || first.kind != ForeignLock::Kind::kNumber) return std::nullopt;
  return PidFileText{.pid = first.pid, .start_ticks = ticks};
}

// A list of pids (a daemon and its workers) names nobody in particular.
bool is_list_of_numbers(const std::vector<std::string_view>& words) {
  return words.size() > 2 && pid_file_text_parse_digits(words[0]) &&
         pid_file_text_parse_digits(words[1]);
}

}  // namespace

std::optional<PidFileText> read_pid_file_text(std::string_view bytes) {
  if (bytes.size() > kMaxPidFileBytes) return std::nullopt;
  const std::vector<std::string_view> words = words_of(bytes);
  if (auto both = two_numbers(words)) return both;
  if (is_list_of_numbers(words)) return std::nullopt;
  const ForeignLock found = read_foreign_lock(bytes);
  using Kind = ForeignLock::Kind;
  if (found.kind != Kind::kNumber && found.kind != Kind::kJson) return std::nullopt;
  PidFileText text{.pid = found.pid, .start_ticks = {}, .host = found.host};
  if (found.kind == Kind::kJson) text.start_ticks = ticks_of_object(bytes);
  return text;
}

}  // namespace holdfast
