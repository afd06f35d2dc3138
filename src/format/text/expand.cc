// SPDX-License-Identifier: Apache-2.0
#include "format/text/expand.h"

#include <algorithm>

namespace holdfast {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

Error bad_expansion(std::string_view text, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kConfig,
          .op = "expand",
          .subject = std::string(text),
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

Result<std::string> value_of(std::string_view text, const std::string& name,
                             const VariableLookup& lookup) {
  std::optional<std::string> value = lookup(name);
  if (!value)
    return fail(bad_expansion(text, "unset-variable", "the variable " + name + " is not set"));
  return *std::move(value);
}

}  // namespace

bool is_variable_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

Result<std::string> expand(std::string_view text, const VariableLookup& lookup) {
  std::string result;
  std::size_t at = 0;
  if (text == "~" || text.starts_with("~/")) {
    result = HF_TRY(value_of(text, "HOME", lookup));
    at = 1;
  }
  for (;;) {
    const std::size_t open = text.find("${", at);
    result += text.substr(at, open - at);
    if (open == std::string_view::npos) return result;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) {
      return fail(bad_expansion(text, "bad-expansion", "`${` has no `}`"));
    }
    const std::string name(text.substr(open + 2, close - open - 2));
    if (!is_variable_name(name)) {
      return fail(
          bad_expansion(text, "bad-expansion",
                        "between `${` and `}` stands `" + name + "`, which is no variable's name"));
    }
    result += HF_TRY(value_of(text, name, lookup));
    at = close + 1;
  }
}

}  // namespace holdfast
