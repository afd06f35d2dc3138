// SPDX-License-Identifier: Apache-2.0
//
// Tokens of JSON that the tokenizer has found but not looked into. All of these are strict: what
// they accept is JSON in the plain spelling; what they refuse may still be JSON in a rarer one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::helper {

std::string_view without_space_behind(std::string_view token);

// true, false, null; a number without an exponent; a string without `\u`. `token` is all of it.
bool is_good_scalar(std::string_view token);

// The content of a string that is_good_scalar.
std::string string_content(std::string_view token);

// A key without escapes, from behind its opening quote. The tokenizer has made sure that it is
// closed.
std::optional<std::string_view> plain_key(const char* behind_quote);

}  // namespace holdfast::helper
