// SPDX-License-Identifier: Apache-2.0
//
// Reporter: how an engine says something to people while it works, without knowing who listens.
#pragma once

#include <string_view>

namespace holdfast {

class Reporter {
 public:
  virtual ~Reporter() = default;
  // One line, without a newline.
  virtual void note(std::string_view line) = 0;
  // The same for what nobody may silence: the answer is less than was asked for.
  virtual void warn(std::string_view line) = 0;
};

}  // namespace holdfast
