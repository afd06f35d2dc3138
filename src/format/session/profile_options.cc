// SPDX-License-Identifier: Apache-2.0
#include "format/session/profile.h"

#include <array>
#include <charconv>
#include <span>

#include "base/path_text.h"
#include "format/text/expand.h"
#include "format/text/name_escape.h"

namespace holdfast {
namespace {

constexpr std::string_view kProfileOptionsType = "toml-type";
constexpr std::string_view kProfileOptionsValue = "bad-value";

std::string profile_options_quoted(std::string_view key) { return "`" + std::string(key) + "`"; }

std::string profile_options_text_of(double number) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end.ptr};
}

bool profile_options_has_nul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

}  // namespace

void ProfileOptionReader::add(std::string_view option, std::string value, const TomlValue& from) {
  options_.push_back({.option = std::string(option),
                      .value = std::move(value),
                      .place = toml_place(file_, from.line, from.column)});
}

Result<std::string> ProfileOptionReader::expanded(std::string_view key,
                                                  const std::string& text) const {
  auto result = expand(text, around_.variables);
  if (!result) return fail(toml_.error(key, result.error().cause, result.error().detail));
  // A variable's value comes from the environment and holds none; a text was refused before.
  return result;
}

Result<> ProfileOptionReader::text(std::string_view key, std::string_view option) {
  const auto text = HF_TRY(toml_.text(key));
  if (!text) return {};
  if (text->empty())
    return fail(toml_.error(key, kProfileOptionsValue, profile_options_quoted(key) + " is empty"));
  add(option, *text, *toml_.value(key));
  return {};
}

Result<std::optional<std::string>> ProfileOptionReader::absolute(std::string_view key) {
  const auto text = HF_TRY(toml_.text(key));
  if (!text) return std::nullopt;
  const auto path = expanded(key, *text);
  if (!path) return fail(path.error());
  if (path->empty())
    return fail(toml_.error(key, kProfileOptionsValue,
                            profile_options_quoted(key) + ": a path is never empty"));
  // Not lexical_path: `..` behind a link means what the kernel says that it means.
  if (is_rooted_path(*path)) return *path;
  return join_path(around_.directory, *path);
}

Result<> ProfileOptionReader::path(std::string_view key, std::string_view option) {
  auto path = HF_TRY(absolute(key));
  if (path) add(option, *std::move(path), *toml_.value(key));
  return {};
}

Result<> ProfileOptionReader::duration(std::string_view key, std::string_view option, Zero zero) {
  auto duration = HF_TRY(toml_duration(toml_, key, zero));
  if (duration) add(option, std::move(duration->text), *toml_.value(key));
  return {};
}

Result<> ProfileOptionReader::size(std::string_view key, std::string_view option) {
  auto size = HF_TRY(toml_size(toml_, key));
  if (size) add(option, std::move(size->text), *toml_.value(key));
  return {};
}

Result<> ProfileOptionReader::count(std::string_view key, std::string_view option,
                                    std::int64_t least) {
  const auto number = HF_TRY(toml_.integer(key));
  if (!number) return {};
  if (*number < least) {
    return fail(toml_.error(key, kProfileOptionsValue,
                            profile_options_quoted(key) + " is at least " + std::to_string(least)));
  }
  add(option, std::to_string(*number), *toml_.value(key));
  return {};
}

Result<> ProfileOptionReader::number(std::string_view key, std::string_view option) {
  const TomlValue* value = toml_.value(key);
  if (value == nullptr) return {};
  std::optional<std::string> text = toml_text_or_integer(*value);
  if (const auto* number = std::get_if<double>(&value->value))
    text = profile_options_text_of(*number);
  if (!text || profile_options_has_nul(*text)) {
    return fail(toml_.error(key, kProfileOptionsType,
                            profile_options_quoted(key) + " must be a number, or text"));
  }
  add(option, *std::move(text), *value);
  return {};
}

Result<> ProfileOptionReader::flag(std::string_view key, std::string_view option, bool when) {
  const auto on = HF_TRY(toml_.flag(key));
  if (on == when) add(option, "", *toml_.value(key));
  return {};
}

Result<> ProfileOptionReader::texts(std::string_view key, std::string_view option) {
  const TomlValue* value = toml_.value(key);
  if (value == nullptr) return {};
  if (std::holds_alternative<std::string>(value->value)) return text(key, option);
  if (!std::holds_alternative<TomlArray>(value->value)) {
    return fail(
        toml_.error(key, kProfileOptionsType,
                    profile_options_quoted(key) + " must be a string or an array of strings"));
  }
  const auto all = toml_.texts(key);
  if (!all) return fail(all.error());
  for (const std::string& one : **all) {
    if (one.empty())
      return fail(toml_.error(key, kProfileOptionsValue,
                              profile_options_quoted(key) + " holds an empty string"));
    add(option, one, *value);
  }
  return {};
}

Result<> ProfileOptionReader::locks(std::string_view key) {
  const std::size_t before = options_.size();
  HF_TRY(texts(key, "lock"));
  for (ProfileOption& option : std::span(options_).subspan(before)) {
    if (is_lock_path(option.value) && !is_rooted_path(option.value))
      option.value = join_path(around_.directory, option.value);
  }
  return {};
}

Result<> ProfileOptionReader::variables(std::string_view key, std::string_view option) {
  const TomlTable* const table = HF_TRY(toml_.table(key));
  if (table == nullptr) return {};
  TomlReader inner(*table, file_);
  for (const auto& [name, value] : table->entries) {
    if (name.empty() || name.find('=') != name.npos || profile_options_has_nul(name)) {
      return fail(inner.error(name, kProfileOptionsValue, "this is no name of a variable"));
    }
    const std::string text = HF_TRY(inner.required_text(name));
    auto result = expand(text, around_.variables);
    if (!result) return fail(inner.error(name, result.error().cause, result.error().detail));
    add(option, name + "=" + *result, value);
  }
  return {};
}

}  // namespace holdfast
