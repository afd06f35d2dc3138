// SPDX-License-Identifier: Apache-2.0
//
// Pieces of a JSON text as they stand in it, for edits that keep every other byte: where a value
// ends, which field a path means, and how a value is spelled.
//
// Limit: a splitter, no validator. Text that was not proven to be JSON first never makes it read
// past the end, but may be split in the wrong place; only value_end says that there is no end
// (npos). Nothing here recurses, so nesting costs no stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

inline constexpr std::string_view kJsonBlanks = " \t\r\n";

// The first byte at or behind `at` that is no blank; text.size() where there is none.
std::size_t skip_json_blanks(std::string_view text, std::size_t at);
// One past the last byte of the value that begins at `at`; npos where the text ends before it does.
std::size_t json_value_end(std::string_view text, std::size_t at);
// Are there more than `levels` brackets open at once?
bool json_deeper_than(std::string_view text, std::size_t levels);

// The value below `keys`, spelled as it stands. A key names a field of an object, or counts (from
// 0) the elements of an array. Of two equal keys the last counts, as for jq and most readers.
std::optional<std::string_view> find_json_value(std::string_view json,
                                                std::span<const std::string> keys);

// A value as people compare it: the content of a string, the spelling of a number, `true`, `false`,
// `null`; an object or a list without blanks.
std::string json_value_text(std::string_view value);

// JsonLayout: where blanks and line ends stand in a JSON text, and a text moved from one layout to
// another. Only blanks change: strings, numbers and the order of keys stay byte for byte.
struct JsonLayout {
  std::string newline{};      // empty: everything on one line
  std::string base{};         // how far the line is indented on which the value begins
  std::string unit{};         // added with every level
  std::string after_comma{};  // on one line only
  std::string after_colon{};

  bool operator==(const JsonLayout&) const = default;
};

// `json` is valid JSON. An empty object or list stays on its line.
std::string laid_out(std::string_view json, const JsonLayout& layout);

// The layout in which `json`, an object whose line is indented by `base`, is written. What it does
// not show (an empty object shows nothing) is as compact as can be.
JsonLayout layout_of(std::string_view json, std::string_view base);

// find_json_fault: is a text one JSON value, and if not, where does it stop being one? Nothing is
// built, nothing is thrown. Stricter than the library in two points: a NUL byte is not the end of
// the text, and a byte order mark is not JSON.
struct JsonFault {
  std::size_t at = 0;   // the byte at which it shows
  bool at_end = false;  // all of the text could be the beginning of a value
  std::string detail;   // for people; holds nothing of the text
};

enum class JsonKeys : std::uint8_t {
  kAsTheyAre,
  kOnce,  // twice in one object is a fault: readers differ about which one counts
};

// Nothing: it is one JSON value.
std::optional<JsonFault> find_json_fault(std::string_view text,
                                         JsonKeys keys = JsonKeys::kAsTheyAre);

}  // namespace holdfast
