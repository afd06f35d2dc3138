// SPDX-License-Identifier: Apache-2.0
//
// Variables in the values of a compose file, as `docker compose` replaces them:
//   $VAR ${VAR}                  the value
//   ${VAR:-d} ${VAR-d}           d where it is unset or empty; where it is unset
//   ${VAR:?e} ${VAR?e}           an error with the text e, in the same two cases
//   ${VAR:+x} ${VAR+x}           x where it is set and not empty; where it is set; else nothing
//   $$                           one $
// What stands for d and x may hold variables itself.
//
// One difference, on purpose: an unset variable without a default is an error, where compose puts
// nothing in its place and `${DATA}/db` becomes `/db`.
//
// Errors: kConfig `unset-variable`, `bad-expansion`.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "format/text/expand.h"

namespace holdfast {

Result<std::string> expand_compose(std::string_view text, const VariableLookup& lookup);

}  // namespace holdfast
