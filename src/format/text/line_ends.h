// SPDX-License-Identifier: Apache-2.0
//
// Line ends of a text: counted, and made one kind.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

inline constexpr std::string_view kLf = "\n";
inline constexpr std::string_view kCrLf = "\r\n";

struct LineEnds {
  std::size_t lf = 0;
  std::size_t crlf = 0;

  LineEnds& operator+=(const LineEnds& other) {
    lf += other.lf;
    crlf += other.crlf;
    return *this;
  }
  [[nodiscard]] bool any() const { return lf + crlf > 0; }
  // What most lines have; LF where both are equal.
  [[nodiscard]] std::string_view most() const { return crlf > lf ? kCrLf : kLf; }
};

LineEnds count_line_ends(std::string_view text);

// The text with every line end as `line_end`, and one behind its last line. All CRs at the end of a
// line belong to its line end, so that doing it twice is the same as doing it once.
std::string with_line_ends(std::string_view text, std::string_view line_end);

}  // namespace holdfast
