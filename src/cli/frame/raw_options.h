// SPDX-License-Identifier: Apache-2.0
//
// The seam between the option parser library and the rest: which words are options, which values
// they got, what is left over. No value is checked here.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "cli/frame/command.h"

namespace holdfast::cli {

struct RawOptions {
  // One list per option, in the order of `options`; a flag that was typed has one empty value each
  // time.
  std::vector<std::vector<std::string>> values;
  std::vector<std::string> arguments;
  std::vector<std::string> unknown;  // words that look like options and are none
};

// Which word the library could not take, and why.
struct RawFault {
  enum class Kind : std::uint8_t { kMissingValue, kValueOfFlag, kInternal };
  Kind kind = Kind::kInternal;
  std::string detail;
};

std::expected<RawOptions, RawFault> split_options(std::span<const OptionSpec> options,
                                                  const std::vector<std::string>& words);

}  // namespace holdfast::cli
