// SPDX-License-Identifier: Apache-2.0
#include "format/text/toml_values.h"

#include "base/units.h"

namespace holdfast {
namespace {

constexpr std::string_view kTomlValuesType = "toml-type";
constexpr std::string_view kTomlValuesValue = "bad-value";

std::string toml_values_quoted(std::string_view key) { return "`" + std::string(key) + "`"; }

}  // namespace

std::optional<std::string> toml_text_or_integer(const TomlValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&value.value)) return std::to_string(*number);
  return std::nullopt;
}

Result<TomlDuration> toml_duration_of(const TomlReader& table, std::string_view key,
                                      const TomlValue& value, Zero zero) {
  auto text = toml_text_or_integer(value);
  if (!text) {
    return fail(table.error(key, kTomlValuesType,
                            toml_values_quoted(key) +
                                " must be a duration: text (\"90s\", \"1h\") or a whole "
                                "number of seconds"));
  }
  const auto parsed = parse_duration(*text);
  if (!parsed)
    return fail(
        table.error(key, kTomlValuesValue, toml_values_quoted(key) + ": " + parsed.error().detail));
  if (zero == Zero::kRefused && *parsed <= Duration::zero()) {
    return fail(
        table.error(key, kTomlValuesValue, toml_values_quoted(key) + " must be more than 0"));
  }
  return TomlDuration{.value = *parsed, .text = *std::move(text)};
}

Result<std::optional<TomlDuration>> toml_duration(TomlReader& table, std::string_view key,
                                                  Zero zero) {
  const TomlValue* value = table.value(key);
  if (value == nullptr) return std::nullopt;
  auto duration = toml_duration_of(table, key, *value, zero);
  if (!duration) return fail(duration.error());
  return *std::move(duration);
}

Result<std::optional<TomlSize>> toml_size(TomlReader& table, std::string_view key) {
  const TomlValue* value = table.value(key);
  if (value == nullptr) return std::nullopt;
  auto text = toml_text_or_integer(*value);
  if (!text) {
    return fail(table.error(
        key, kTomlValuesType,
        toml_values_quoted(key) + " must be a size: text (\"2G\") or a whole number of bytes"));
  }
  const auto parsed = parse_size(*text);
  if (!parsed)
    return fail(
        table.error(key, kTomlValuesValue, toml_values_quoted(key) + ": " + parsed.error().detail));
  return TomlSize{.value = *parsed, .text = *std::move(text)};
}

}  // namespace holdfast
