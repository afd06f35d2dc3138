// SPDX-License-Identifier: Apache-2.0
//
// Wrapping text to a width. Columns are counted as Unicode code points; wide and combining
// characters are not told apart, which at worst makes a line look a little too long or too short.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::cli {

std::size_t columns_of(std::string_view text);

// `text` with spaces behind it up to `columns`.
std::string padded(std::string text, std::size_t columns);

// `text` itself where it fits into `columns`, else what fits with `…` behind it.
std::string cut_to(std::string_view text, std::size_t columns);

// The words of `text` in lines of at most `width` columns, each after the first preceded by
// `indent` spaces; `first` columns of the first line are taken already. A word that is longer than
// a line gets a line of its own and is not cut. What stands in backticks is one word where it fits
// into a line: `holdfast help home`. No newline at the end.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent, std::size_t first);

}  // namespace holdfast::cli
