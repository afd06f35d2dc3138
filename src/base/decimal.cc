// SPDX-License-Identifier: Apache-2.0
#include "base/decimal.h"

#include <algorithm>

namespace holdfast {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kMaxFractionDigits = 18;  // 10^18 × the largest unit still fits into 128 bits

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::expected<std::int64_t, DecimalFault> scale_decimal(std::string_view whole,
                                                        std::string_view fraction,
                                                        std::int64_t unit) {
  std::int64_t value = 0;
  for (const char c : whole) {
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, c - '0', &value)) {
      return std::unexpected(DecimalFault::kTooLarge);
    }
  }
  if (__builtin_mul_overflow(value, unit, &value)) return std::unexpected(DecimalFault::kTooLarge);

  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (fraction.size() > kMaxFractionDigits) return std::unexpected(DecimalFault::kTooFine);
  Wide numerator = 0;
  Wide denominator = 1;
  for (const char c : fraction) {
    numerator = numerator * 10 + static_cast<unsigned>(c - '0');
    denominator *= 10;
  }
  const Wide scaled = numerator * static_cast<Wide>(unit);
  if (scaled % denominator != 0) return std::unexpected(DecimalFault::kTooFine);
  if (__builtin_add_overflow(value, static_cast<std::int64_t>(scaled / denominator), &value)) {
    return std::unexpected(DecimalFault::kTooLarge);
  }
  return value;
}

std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

}  // namespace holdfast
