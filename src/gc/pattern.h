// SPDX-License-Identifier: Apache-2.0
//
// Name patterns of `gc --adopt-dir`: `*` is any text, `?` any one byte, everything else itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::gc {

// What the first `*` stands for (all of the name where there is none); nullopt: no match. Of
// several ways to match, the one in which the first `*` is shortest.
std::optional<std::string> match(std::string_view pattern, std::string_view name);

// `{name}` becomes the name, `{*}` what the `*` stands for.
std::string expand(std::string_view text, std::string_view name, std::string_view star);
// What stands in braces and is neither: `{title}`, with its braces (or all behind one that nothing
// closes). Empty: nothing.
std::string_view unknown_placeholder(std::string_view text);

}  // namespace holdfast::gc
