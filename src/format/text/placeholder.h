// SPDX-License-Identifier: Apache-2.0
//
// Texts with holes for the fields of an item: `fix-{number}`, `{author.login}`; `{{` and `}}` are
// braces.
//
// A field's name has letters, digits, `_`, `-`, `@` and bytes above 127, and dots between the names
// of nested fields. A brace that is neither doubled nor part of such a placeholder is refused
// rather than kept: `{nummer }` would otherwise reach a command as it stands.
//
// Errors: kConfig `bad-placeholder`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast {

struct TextPiece {
  std::string text{};  // as it is, or the name of a field
  bool is_field = false;

  bool operator==(const TextPiece&) const = default;
};

Result<std::vector<TextPiece>> split_placeholders(std::string_view text);

// `a.b` as {"a", "b"}; nullopt where a name between the dots is empty.
std::optional<std::vector<std::string>> split_field(std::string_view field);

// The first thing in a line for a shell that its author took for a placeholder: `{number}`, but not
// `${number}`, `{{number}}`, `{ number }` or `{a,b}`.
std::optional<std::string> find_shell_placeholder(std::string_view line);

}  // namespace holdfast
