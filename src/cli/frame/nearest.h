// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean …?" (format/text/nearest.h), for words of a command line.
#pragma once

#include <string_view>

#include "format/text/nearest.h"

namespace holdfast::cli {

using holdfast::nearest;

// The name inside an option as typed: `--tim=5`, `--tim` and `-tim` are all `tim`.
std::string_view option_stem(std::string_view word);

}  // namespace holdfast::cli
