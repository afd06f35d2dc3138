// SPDX-License-Identifier: Apache-2.0
#include "format/text/nearest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace holdfast {
namespace {

// Optimal string alignment: Levenshtein's distance, with a swap of neighbours as one step.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(previous);
    previous.swap(row);
  }
  return previous[b.size()];
}

constexpr std::size_t kLongestWord = 64;  // nobody mistypes longer ones, and the work is bounded

}  // namespace

std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> candidates) {
  if (typed.size() < 2 || typed.size() > kLongestWord) return std::nullopt;
  std::size_t best = typed.size() <= 5 ? 1 : 2;
  std::optional<std::string_view> guess;
  for (const std::string_view candidate : candidates) {
    const bool begun = typed.size() >= 3 && candidate.starts_with(typed);
    const std::size_t steps = std::min(distance(typed, candidate), begun ? 1 : kLongestWord);
    if (steps < best || (steps == best && !guess)) {
      best = steps;
      guess = candidate;
    }
  }
  return guess;
}

}  // namespace holdfast
