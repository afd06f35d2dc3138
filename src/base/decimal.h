// SPDX-License-Identifier: Apache-2.0
//
// scale_decimal: `whole.fraction × unit` in exact integers, for durations and sizes. No floating
// point: 0.1 s is 100 000 000 ns, not a nanosecond less.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace holdfast {

enum class DecimalFault : std::uint8_t {
  kTooLarge,  // does not fit into 63 bits
  kTooFine,   // not a whole number
};

// `whole` and `fraction` hold digits only (the caller checked) and may be empty.
std::expected<std::int64_t, DecimalFault> scale_decimal(std::string_view whole,
                                                        std::string_view fraction,
                                                        std::int64_t unit);

// Cuts the leading digits off `text` and returns them.
std::string_view take_digits(std::string_view& text);

}  // namespace holdfast
