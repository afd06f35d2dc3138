// SPDX-License-Identifier: Apache-2.0
//
// Id128: 128 bits that nobody guesses and nobody repeats: lock tokens, run ids, temporary names.
// Made by os::random_id(); this type only holds, compares and spells them. The text form is exactly
// 32 lower-case hexadecimal digits; anything else is not an id.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

struct Id128 {
  std::array<std::uint8_t, 16> bytes{};

  auto operator<=>(const Id128&) const = default;
};

std::string to_hex(const Id128& id);
std::optional<Id128> parse_id128(std::string_view hex);

}  // namespace holdfast
