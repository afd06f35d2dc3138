// SPDX-License-Identifier: Apache-2.0
//
// Durations and sizes in TOML: text as it is typed on a command line ("1h", "2G"), or a whole
// number of seconds or bytes.
//
// nullopt: the key is not there. Errors: kConfig at the key: `toml-type`, `bad-value`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "format/text/toml.h"

namespace holdfast {

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
