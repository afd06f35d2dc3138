// SPDX-License-Identifier: Apache-2.0
//
// LinePattern: an extended regular expression of POSIX, as `grep -E` has it, that a line may match
// anywhere. By bytes, whatever the locale; a line may hold any byte.
//
// Platform: on Windows by the C++ library, which has the same syntax.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"

namespace holdfast::os {

class LinePattern {
 public:
  // kUsage `bad-pattern`.
  static Result<LinePattern> compile(std::string_view pattern);
  LinePattern(LinePattern&&) noexcept;
  LinePattern& operator=(LinePattern&&) noexcept;
  ~LinePattern();

  [[nodiscard]] bool matches(std::string_view line) const;

 private:
  struct Compiled;
  explicit LinePattern(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace holdfast::os
