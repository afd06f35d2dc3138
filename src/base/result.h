// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value or an Error; std::expected, made impossible to ignore.
//
//   Result<Dir> open_home();
//   Dir home = HF_TRY(open_home());                    // value, or return the error to our caller
//   return fail({.code = ErrorCode::kRefused, .op = "open the home", …});
//
// It derives from std::expected for one reason: [[nodiscard]] on the class makes every dropped
// result a compile error in every build; an alias cannot carry the attribute.
#pragma once

#include <expected>
#include <utility>

#include "base/error.h"

namespace holdfast {

template <typename T = void>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
};

// Cold: what leads here is laid apart from the code that runs, and so not read in at every start.
[[gnu::cold, gnu::noinline]] inline std::unexpected<Error> fail(Error error) {
  return std::unexpected<Error>(std::move(error));
}

}  // namespace holdfast

// Evaluates to the value of a Result, or returns its Error from the enclosing function. A statement
// expression (GCC, Clang, mingw) keeps the call readable: `auto x = HF_TRY(f());`. The counter
// gives each use a name of its own, so that one may stand inside another. Not inside a braced list
// behind other elements: GCC 12 forgets to destroy those when the return is taken.
#define HF_TRY(expression) HF_TRY_NUMBERED(expression, __COUNTER__)
#define HF_TRY_NUMBERED(expression, number) HF_TRY_NAMED(expression, number)
#define HF_TRY_NAMED(expression, number) HF_TRY_EXPANDED(expression, hf_result_##number)
// NOLINTBEGIN(bugprone-macro-parentheses): `result` is a name that is declared here
#define HF_TRY_EXPANDED(expression, result)               \
  __extension__({                                         \
    auto result = (expression);                           \
    if (!result) [[unlikely]]                             \
      return ::holdfast::fail(std::move(result).error()); \
    std::move(result).value();                            \
  })
// NOLINTEND(bugprone-macro-parentheses)
