// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/option_value.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/units.h"
#include "cli/frame/command_line.h"
#include "format/file/owner_text.h"

namespace holdfast::cli {
namespace {

bool is_whole_number(std::string_view value) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
  return parsed.ec == std::errc() && parsed.ptr == value.data() + value.size();
}

Result<> check_choice(const OptionSpec& option, std::string_view value) {
  const auto choices = choices_of(option);
  if (std::ranges::find(choices, value) != choices.end()) return {};
  std::string why = "it is none of " + std::string(option.value);
  if (const auto guess = nearest(value, choices))
    why += "; did you mean " + std::string(*guess) + "?";
  return bad_value(option.name, value, std::move(why));
}

}  // namespace

std::vector<std::string_view> names_in(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t bar = std::min(list.find('|'), list.size());
    words.push_back(list.substr(0, bar));
    list.remove_prefix(std::min(bar + 1, list.size()));
  }
  return words;
}

std::vector<std::string_view> choices_of(const OptionSpec& option) {
  return names_in(option.value);
}

std::string as_choice(std::string_view list) {
  const auto names = names_in(list);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "--" + std::string(names[i]);
  }
  return text;
}

Result<> check_value(const OptionSpec& option, std::string_view value) {
  switch (option.kind) {
    case OptionKind::kFlag:
    case OptionKind::kText:
      return {};
    case OptionKind::kPath:
      if (value.empty()) return bad_value(option.name, value, "a path is never empty");
      return {};
    case OptionKind::kDuration: {
      const auto parsed = parse_duration(value);
      if (!parsed) return bad_value(option.name, value, parsed.error().detail);
      return {};
    }
    case OptionKind::kSize: {
      const auto parsed = parse_size(value);
      if (!parsed) return bad_value(option.name, value, parsed.error().detail);
      return {};
    }
    case OptionKind::kInteger:
      if (!is_whole_number(value))
        return bad_value(option.name, value, "it is not a whole number, 0 or more");
      return {};
    case OptionKind::kChoice:
      return check_choice(option, value);
  }
  return {};
}

std::unexpected<Error> bad_value(std::string_view option, std::string_view value, std::string why) {
  return fail(usage_error("bad-value", "use the value of --" + std::string(option),
                          "'" + std::string(value) + "'", std::move(why)));
}

Result<std::optional<std::string>> shell_line_value(const Args& args, std::string_view option) {
  auto line = args.text(option);
  if (line && line->find_first_not_of(" \t\r\n") == std::string::npos) {
    return bad_value(option, *line, "it is empty, and an empty line says yes to everything");
  }
  return line;
}

Result<std::optional<std::uint32_t>> mode_value(const Args& args) {
  const auto word = args.text("mode");
  if (!word) return std::nullopt;
  const auto mode = parse_mode(*word);
  if (!mode) return bad_value("mode", *word, "it is three or four octal digits, as in 0644");
  return *mode;
}

}  // namespace holdfast::cli
