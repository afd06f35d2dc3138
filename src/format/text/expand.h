// SPDX-License-Identifier: Apache-2.0
//
// `~` and `${VAR}` in the paths and words of a manifest or a plan.
//
//   `~` alone or before a `/`, at the beginning only: the value of HOME
//   `${NAME}`: the value of that variable, which may be empty but must be set
// A `$` that is not followed by `{` stands for itself, and so does `~` anywhere else. What was put
// in is not expanded again.
//
// Errors: kConfig `unset-variable` naming it, `bad-expansion` for `${` without a name or a `}`. An
// unset variable never becomes an empty string: `${DATA}/cache` would be `/cache`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast {

using VariableLookup = std::function<std::optional<std::string>(const std::string& name)>;

Result<std::string> expand(std::string_view text, const VariableLookup& lookup);

// A letter or `_`, then letters, digits and `_`.
bool is_variable_name(std::string_view text);

}  // namespace holdfast
