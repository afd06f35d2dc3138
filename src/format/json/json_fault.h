// SPDX-License-Identifier: Apache-2.0
//
// find_json_fault: is a text one JSON value, and if not, where does it stop being one? Nothing is
// built, nothing is thrown. Stricter than the library in two points: a NUL byte is not the end of
// the text, and a byte order mark is not JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

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
