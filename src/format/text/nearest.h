// SPDX-License-Identifier: Apache-2.0
//
// nearest: "did you mean …?".
//
// Near is: what was typed is the beginning of a candidate (three bytes or more), or few keystrokes
// (insert, delete, replace, swap of neighbours) lie between them: one up to five bytes, two above.
// The nearest wins, among equals the first; a guess that is probably wrong is worse than none, so
// far-off words get no answer.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace holdfast {

std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> candidates);

}  // namespace holdfast
