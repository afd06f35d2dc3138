// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a ledger that are locked and never written: far behind its end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace holdfast::lock {

inline constexpr std::uint64_t kNoteByte = std::uint64_t{1} << 40U;
inline constexpr std::uint64_t kReaderBytesFrom = kNoteByte + 0x100;
inline constexpr std::uint64_t kWaiterBytesFrom = kNoteByte + 0x200;
inline constexpr std::uint64_t kLifeFrom = std::uint64_t{1} << 41U;
// Right before life, so that one call takes both, and one gives both back.
inline constexpr std::uint64_t kGuardByte = kLifeFrom - 1;

constexpr std::uint64_t reader_byte(std::size_t slot) { return kReaderBytesFrom + slot; }
constexpr std::uint64_t waiter_byte(std::size_t slot) { return kWaiterBytesFrom + slot; }
constexpr std::uint64_t life_byte(std::uint64_t epoch) { return kLifeFrom + epoch; }
// GUARD, the life bytes of older epochs, and that of `epoch`: how many bytes from kGuardByte on.
constexpr std::uint64_t guard_to_life(std::uint64_t epoch) { return epoch + 2; }

}  // namespace holdfast::lock
