// SPDX-License-Identifier: Apache-2.0
//
// TOML (1.0) as a plain tree that knows where in the text everything stands, and a reader for
// tables that knows every key it may meet. toml++ stands behind it, in one file of ours.
//
//   TomlTable plan = HF_TRY(parse_toml(text, "layers.toml"));
//   TomlReader top(plan, "layers.toml");
//   auto expect = HF_TRY(top.integer("expect"));        // nullopt: not there
//   auto layers = HF_TRY(top.tables("layer"));          // [[layer]]
//   HF_TRY(top.finish());                               // any key that nobody asked for: kConfig
//
// Errors: kConfig (78), `toml-syntax`, `toml-type`, `toml-missing`, `toml-unknown-key` (with the
// nearest known one), always with `NAME:LINE:COLUMN` as the subject: of the key, or of the table
// where a key is missing. A value never gets a default because it could not be read. A string with
// a NUL byte (`\u0000`) is `toml-type`: as a path or an argument it would be cut there.
//
// Limits: values nest 32 deep, keys have 32 parts (toml_depth.h); more is `toml-syntax`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast {

struct TomlValue;
struct TomlEntry;
using TomlArray = std::vector<TomlValue>;

struct TomlTable {
  std::vector<TomlEntry> entries;  // in the order of the text
  int line = 0;                    // both count from 1; a column is a character, not a byte
  int column = 0;

  [[nodiscard]] const TomlValue* find(std::string_view key) const;
};

// Dates and times, as RFC 3339 spells them.
struct TomlDate {
  std::string text;
};

struct TomlValue {
  std::variant<std::string, std::int64_t, double, bool, TomlDate, TomlArray, TomlTable> value;
  int line = 0;  // of the key, where there is one
  int column = 0;
};

struct TomlEntry {
  std::string key;
  TomlValue value;
};

inline constexpr std::size_t kMaxTomlBytes = std::size_t{16} << 20U;

// "NAME:LINE:COLUMN": the subject of every error about a TOML text.
std::string toml_place(std::string_view name, int line, int column);

// `name` is for messages. More than kMaxTomlBytes is kConfig `too-large`.
Result<TomlTable> parse_toml(std::string_view text, std::string_view name);

// One table, read key by key. Keep it alive while its answers are used; asking twice is allowed.
class TomlReader {
 public:
  TomlReader(const TomlTable& table, std::string name) : table_(table), name_(std::move(name)) {}

  // The value as it is, of any type; null where it is not there.
  const TomlValue* value(std::string_view key) { return ask(key); }
  [[nodiscard]] Result<std::optional<std::string>> text(std::string_view key);
  [[nodiscard]] Result<std::optional<std::int64_t>> integer(std::string_view key);
  [[nodiscard]] Result<std::optional<bool>> flag(std::string_view key);
  [[nodiscard]] Result<std::optional<std::vector<std::string>>> texts(std::string_view key);
  // A table, `[key]` or `key = { … }`; null where it is not there.
  [[nodiscard]] Result<const TomlTable*> table(std::string_view key);
  // An array of tables, `[[key]]`, or an empty list where there is none.
  [[nodiscard]] Result<std::vector<const TomlTable*>> tables(std::string_view key);
  // A command: a string is a line for `/bin/sh -c`, an array of strings is run without a shell.
  [[nodiscard]] Result<std::optional<std::vector<std::string>>> command(std::string_view key);
  [[nodiscard]] Result<std::string> required_text(std::string_view key);

  // Every key of the table must have been asked for.
  [[nodiscard]] Result<> finish() const;

  // kConfig about this table or one of its keys.
  [[nodiscard]] Error error(std::string_view key, std::string_view cause,
                            std::string_view detail) const;
  [[nodiscard]] int line() const { return table_.line; }
  [[nodiscard]] int column() const { return table_.column; }

 private:
  const TomlValue* ask(std::string_view key);

  const TomlTable& table_;
  std::string name_;
  std::vector<std::string> asked_;
};

// Durations and sizes in TOML: text as it is typed on a command line ("1h", "2G"), or a whole
// number of seconds or bytes.
//
// nullopt: the key is not there. Errors: kConfig at the key: `toml-type`, `bad-value`.
enum class Zero : std::uint8_t { kFine, kRefused };

struct TomlDuration {
  Duration value{};
  std::string text{};  // as it would be typed
};
Result<std::optional<TomlDuration>> toml_duration(TomlReader& table, std::string_view key,
                                                  Zero zero);
// The same of a value that is no key's own, such as an element of the array under `key`.
Result<TomlDuration> toml_duration_of(const TomlReader& table, std::string_view key,
                                      const TomlValue& value, Zero zero);

struct TomlSize {
  std::uint64_t value = 0;
  std::string text{};
};
Result<std::optional<TomlSize>> toml_size(TomlReader& table, std::string_view key);

// As it would be typed; none where it is neither text nor a whole number.
std::optional<std::string> toml_text_or_integer(const TomlValue& value);

}  // namespace holdfast
