// SPDX-License-Identifier: Apache-2.0
//
// How deep the dotted keys of a TOML text go, found before the text is parsed.
//
// toml++ limits nested values, but not keys: one line `a.a.a.a…` builds a table per dot, and taking
// millions of nested tables down again overflows the stack. So such a text is refused unparsed.
//
// The scan knows strings and comments. Up to the first syntax error it sees the text as a parser
// does; behind that it may be wrong, but a parser builds nothing from there on.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace holdfast {

inline constexpr std::size_t kMaxTomlKeyParts = 32;

struct TomlKeyPlace {
  int line = 0;
  int column = 0;
};

// Where the first key with more than kMaxTomlKeyParts parts goes too deep.
std::optional<TomlKeyPlace> too_deep_toml_key(std::string_view text);

}  // namespace holdfast
