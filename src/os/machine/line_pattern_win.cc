// SPDX-License-Identifier: Apache-2.0
#include <regex>
#include <string>

#include "os/machine/line_pattern.h"

namespace holdfast::os {

struct LinePattern::Compiled {
  std::regex regex;
};

LinePattern::LinePattern(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
LinePattern::LinePattern(LinePattern&&) noexcept = default;
LinePattern& LinePattern::operator=(LinePattern&&) noexcept = default;
LinePattern::~LinePattern() = default;

Result<LinePattern> LinePattern::compile(std::string_view pattern) {
  try {
    return LinePattern(std::make_unique<Compiled>(
        Compiled{std::regex(pattern.begin(), pattern.end(), std::regex::extended)}));
  } catch (const std::regex_error& error) {
    return fail({.code = ErrorCode::kUsage,
                 .op = "understand the pattern",
                 .subject = "'" + std::string(pattern) + "'",
                 .cause = "bad-pattern",
                 .detail = error.what()});
  }
}

// The library gives up on a line that is too complex for it; such a line is shown.
bool LinePattern::matches(std::string_view line) const {
  try {
    return std::regex_search(line.begin(), line.end(), compiled_->regex);
  } catch (const std::regex_error&) {
    return true;
  }
}

}  // namespace holdfast::os
