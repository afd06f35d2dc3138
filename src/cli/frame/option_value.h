// SPDX-License-Identifier: Apache-2.0
//
// check_value: does a typed value fit its option? It is what makes the typed getters of Args safe.
// The others are for what a command itself must ask of a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"

namespace holdfast::cli {

// Errors: kUsage with cause `bad-value`; the sentence names the option, the value and what would
// have been right.
Result<> check_value(const OptionSpec& option, std::string_view value);

// The words of a kChoice option.
std::vector<std::string_view> choices_of(const OptionSpec& option);
// Those of `needs` and `excludes`, and as people read them: "--a, --b or --c".
std::vector<std::string_view> names_in(std::string_view list);
std::string as_choice(std::string_view list);

// kUsage `bad-value`; `option` without its dashes, `why` says what would have been right.
std::unexpected<Error> bad_value(std::string_view option, std::string_view value, std::string why);

// A line for the shell. One that is empty or blank is kUsage: the shell answers 0 to it, and a
// variable that was not set would be a yes. None where it was not typed.
Result<std::optional<std::string>> shell_line_value(const Args& args, std::string_view option);

// --mode, octal; none where it was not typed. Errors: kUsage.
Result<std::optional<std::uint32_t>> mode_value(const Args& args);

}  // namespace holdfast::cli
