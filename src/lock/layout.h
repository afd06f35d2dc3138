// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a ledger that are locked and never written: far behind its end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace holdfast::lock {

inline constexpr std::uint64_t kGuardByte = std::uint64_t{1} << 40U;
inline constexpr std::uint64_t kNoteByte = kGuardByte + 1;
inline constexpr std::uint64_t kReaderBytesFrom = kGuardByte + 0x100;
inline constexpr std::uint64_t kWaiterBytesFrom = kGuardByte + 0x200;
inline constexpr std::uint64_t kLifeFrom = std::uint64_t{1} << 41U;

constexpr std::uint64_t reader_byte(std::size_t slot) { return kReaderBytesFrom + slot; }
constexpr std::uint64_t waiter_byte(std::size_t slot) { return kWaiterBytesFrom + slot; }
constexpr std::uint64_t life_byte(std::uint64_t epoch) { return kLifeFrom + epoch; }

}  // namespace holdfast::lock
