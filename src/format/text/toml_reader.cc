// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/path_text.h"
#include "base/units.h"
#include "format/text/nearest.h"
#include "format/text/toml.h"

namespace holdfast {
namespace {

constexpr std::string_view kMissing = "toml-missing";
constexpr std::string_view kTomlReaderType = "toml-type";

std::string toml_reader_quoted(std::string_view key) { return "`" + std::string(key) + "`"; }

bool toml_reader_has_nul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

}  // namespace

const TomlValue* TomlReader::ask(std::string_view key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  return table_.find(key);
}

Error TomlReader::error(std::string_view key, std::string_view cause,
                        std::string_view detail) const {
  const TomlValue* value = table_.find(key);
  const int line = value == nullptr ? table_.line : value->line;
  const int column = value == nullptr ? table_.column : value->column;
  return {.code = ErrorCode::kConfig,
          .op = "read",
          .subject = toml_place(name_, line, column),
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

Result<std::optional<std::string>> TomlReader::text(std::string_view key) {
  const TomlValue* value = ask(key);
  if (value == nullptr) return std::nullopt;
  const auto* text = std::get_if<std::string>(&value->value);
  if (text == nullptr)
    return fail(error(key, kTomlReaderType, toml_reader_quoted(key) + " must be a string"));
  if (toml_reader_has_nul(*text))
    return fail(error(key, kTomlReaderType, toml_reader_quoted(key) + " holds a NUL byte"));
  return *text;
}

Result<std::string> TomlReader::required_text(std::string_view key) {
  std::optional<std::string> value = HF_TRY(text(key));
  if (!value) return fail(error(key, kMissing, toml_reader_quoted(key) + " is missing"));
  return *std::move(value);
}

Result<std::optional<std::int64_t>> TomlReader::integer(std::string_view key) {
  const TomlValue* value = ask(key);
  if (value == nullptr) return std::nullopt;
  const auto* number = std::get_if<std::int64_t>(&value->value);
  if (number == nullptr)
    return fail(error(key, kTomlReaderType, toml_reader_quoted(key) + " must be an integer"));
  return *number;
}

Result<std::optional<bool>> TomlReader::flag(std::string_view key) {
  const TomlValue* value = ask(key);
  if (value == nullptr) return std::nullopt;
  const auto* on = std::get_if<bool>(&value->value);
  if (on == nullptr)
    return fail(error(key, kTomlReaderType, toml_reader_quoted(key) + " must be true or false"));
  return *on;
}

Result<std::optional<std::vector<std::string>>> TomlReader::texts(std::string_view key) {
  const TomlValue* value = ask(key);
  if (value == nullptr) return std::nullopt;
  const auto* array = std::get_if<TomlArray>(&value->value);
  if (array == nullptr) {
    return fail(
        error(key, kTomlReaderType, toml_reader_quoted(key) + " must be an array of strings"));
  }
  std::vector<std::string> result;
  for (const TomlValue& element : *array) {
    const auto* text = std::get_if<std::string>(&element.value);
    if (text == nullptr) {
      return fail(
          error(key, kTomlReaderType, toml_reader_quoted(key) + " must be an array of strings"));
    }
    if (toml_reader_has_nul(*text))
      return fail(error(key, kTomlReaderType, toml_reader_quoted(key) + " holds a NUL byte"));
    result.push_back(*text);
  }
  return result;
}

Result<const TomlTable*> TomlReader::table(std::string_view key) {
  const TomlValue* value = ask(key);
  if (value == nullptr) return nullptr;
  const auto* table = std::get_if<TomlTable>(&value->value);
  if (table == nullptr)
    return fail(error(key, kTomlReaderType, toml_reader_quoted(key) + " must be a table"));
  return table;
}

Result<std::vector<const TomlTable*>> TomlReader::tables(std::string_view key) {
  std::vector<const TomlTable*> result;
  const TomlValue* value = ask(key);
  if (value == nullptr) return result;
  const std::string must =
      toml_reader_quoted(key) + " must be an array of tables: [[" + std::string(key) + "]]";
  const auto* array = std::get_if<TomlArray>(&value->value);
  if (array == nullptr) return fail(error(key, kTomlReaderType, must));
  for (const TomlValue& element : *array) {
    const auto* table = std::get_if<TomlTable>(&element.value);
    if (table == nullptr) return fail(error(key, kTomlReaderType, must));
    result.push_back(table);
  }
  return result;
}

Result<std::optional<std::vector<std::string>>> TomlReader::command(std::string_view key) {
  const TomlValue* value = ask(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* line = std::get_if<std::string>(&value->value)) {
    if (line->empty())
      return fail(error(key, kTomlReaderType, toml_reader_quoted(key) + " is an empty command"));
    if (toml_reader_has_nul(*line))
      return fail(error(key, kTomlReaderType, toml_reader_quoted(key) + " holds a NUL byte"));
    return shell_words(*line);
  }
  if (!std::holds_alternative<TomlArray>(value->value)) {
    return fail(error(key, kTomlReaderType,
                      toml_reader_quoted(key) + " must be a string or an array of strings"));
  }
  auto words = texts(key);
  if (words && ((*words)->empty() || (*words)->front().empty())) {
    return fail(error(key, kTomlReaderType, toml_reader_quoted(key) + " is an empty command"));
  }
  return words;
}

Result<> TomlReader::finish() const {
  for (const auto& [key, value] : table_.entries) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    const std::vector<std::string_view> known(asked_.begin(), asked_.end());
    std::string detail = "there is no key " + toml_reader_quoted(key) + " here";
    if (const auto near = nearest(key, known))
      detail += "; did you mean " + toml_reader_quoted(*near) + "?";
    return fail(error(key, "toml-unknown-key", detail));
  }
  return {};
}

namespace {

constexpr std::string_view kTomlValuesValue = "bad-value";

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
    return fail(table.error(key, kTomlReaderType,
                            toml_reader_quoted(key) +
                                " must be a duration: text (\"90s\", \"1h\") or a whole "
                                "number of seconds"));
  }
  const auto parsed = parse_duration(*text);
  if (!parsed)
    return fail(
        table.error(key, kTomlValuesValue, toml_reader_quoted(key) + ": " + parsed.error().detail));
  if (zero == Zero::kRefused && *parsed <= Duration::zero()) {
    return fail(
        table.error(key, kTomlValuesValue, toml_reader_quoted(key) + " must be more than 0"));
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
        key, kTomlReaderType,
        toml_reader_quoted(key) + " must be a size: text (\"2G\") or a whole number of bytes"));
  }
  const auto parsed = parse_size(*text);
  if (!parsed)
    return fail(
        table.error(key, kTomlValuesValue, toml_reader_quoted(key) + ": " + parsed.error().detail));
  return TomlSize{.value = *parsed, .text = *std::move(text)};
}

}  // namespace holdfast
