// SPDX-License-Identifier: Apache-2.0
//
// Paths and words as people write them into a manifest, a plan or a loop: variables, placeholders,
// and one spelling for each path.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast {

using VariableLookup = std::function<std::optional<std::string>(const std::string& name)>;

// `~` and `${VAR}`:
//
//   `~` alone or before a `/`, at the beginning only: the value of HOME
//   `${NAME}`: the value of that variable, which may be empty but must be set
// A `$` that is not followed by `{` stands for itself, and so does `~` anywhere else. What was put
// in is not expanded again.
//
// Errors: kConfig `unset-variable` naming it, `bad-expansion` for `${` without a name or a `}`. An
// unset variable never becomes an empty string: `${DATA}/cache` would be `/cache`.
Result<std::string> expand(std::string_view text, const VariableLookup& lookup);

// A letter or `_`, then letters, digits and `_`.
bool is_variable_name(std::string_view text);

// Texts with holes for the fields of an item: `fix-{number}`, `{author.login}`; `{{` and `}}` are
// braces.
//
// A field's name has letters, digits, `_`, `-`, `@` and bytes above 127, and dots between the names
// of nested fields. A brace that is neither doubled nor part of such a placeholder is refused
// rather than kept: `{nummer }` would otherwise reach a command as it stands.
//
// Errors: kConfig `bad-placeholder`.
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

// Paths as text, without a look at any file: one spelling for each place.
//
// The result is absolute, without empty components, `.`, `..` and a final slash; the root alone is
// `/`. On Windows the root may be `C:/` or `//server/share/`, every separator becomes `/`, and `/a`
// lies on the drive of `base`; upper and lower case stay apart, as they are written. `..` takes
// away the component before it. That is right where no component is a link: the users of this
// refuse links.

// `base` is absolute; it counts where `path` is relative.
std::string lexical_path(std::string_view base, std::string_view path);

// Everything before the last component of such a result: "/" for "/a".
std::string_view lexical_parent(std::string_view path);

}  // namespace holdfast
