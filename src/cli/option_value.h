// SPDX-License-Identifier: Apache-2.0
//
// check_value: does a typed value fit its option? It is what makes the typed getters of Args safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command.h"

namespace holdfast::cli {

// Errors: kUsage with cause `bad-value`; the sentence names the option, the value and what would
// have been right.
Result<> check_value(const OptionSpec& option, std::string_view value);

// The words of a kChoice option.
std::vector<std::string_view> choices_of(const OptionSpec& option);

}  // namespace holdfast::cli
