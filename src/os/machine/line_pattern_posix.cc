// SPDX-License-Identifier: Apache-2.0
#include <regex.h>

#include <array>
#include <string>

#include "os/machine/line_pattern.h"

namespace holdfast::os {

struct LinePattern::Compiled {
  regex_t regex{};
  bool valid = false;

  Compiled() = default;
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() {
    if (valid) regfree(&regex);
  }
};

LinePattern::LinePattern(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
LinePattern::LinePattern(LinePattern&&) noexcept = default;
LinePattern& LinePattern::operator=(LinePattern&&) noexcept = default;
LinePattern::~LinePattern() = default;

Result<LinePattern> LinePattern::compile(std::string_view pattern) {
  auto compiled = std::make_unique<Compiled>();
  const std::string typed(pattern);
  const int failed = regcomp(&compiled->regex, typed.c_str(), REG_EXTENDED | REG_NOSUB);
  if (failed == 0) {
    compiled->valid = true;
    return LinePattern(std::move(compiled));
  }
  constexpr std::size_t kMostWords = 128;
  std::array<char, kMostWords> why{};
  regerror(failed, &compiled->regex, why.data(), why.size());
  return fail({.code = ErrorCode::kUsage,
               .op = "understand the pattern",
               .subject = "'" + typed + "'",
               .cause = "bad-pattern",
               .detail = why.data()});
}

// The length of the line is said, so that a NUL byte does not end it.
bool LinePattern::matches(std::string_view line) const {
  regmatch_t whole{.rm_so = 0, .rm_eo = static_cast<regoff_t>(line.size())};
  const char* const text = line.empty() ? "" : line.data();
  return regexec(&compiled_->regex, text, 1, &whole, REG_STARTEND) == 0;
}

}  // namespace holdfast::os
