// SPDX-License-Identifier: Apache-2.0
//
// JsonLayout: where blanks and line ends stand in a JSON text, and a text moved from one layout to
// another. Only blanks change: strings, numbers and the order of keys stay byte for byte.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

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

}  // namespace holdfast
