// SPDX-License-Identifier: Apache-2.0
//
// The codec of `out.index`, which says of the bytes of `out.log` beside it who printed them, and
// when. Blocks of 16 bytes, numbers little-endian:
//
//   the first    "HFLI", u32 version 1, u64 inode of the log that it is about
//   each other   u64 (where << 24 | how many << 2 | stream), u48 milliseconds since 1970, u16 check
//
// A block is written before the bytes that it is about: bytes without a block are of nobody known,
// and a block without bytes says nothing. Where two speak of one byte, the later one is right. A
// block that is torn or damaged says nothing (the check is of its own 14 bytes), so every prefix of
// the file is an index of as much. Pure.
//
// It is a hint beside the text: whoever cannot read it has the text all the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"

namespace holdfast {

enum class LogStream : std::uint8_t {
  kMixed = 0,  // both, or nobody can tell: a terminal, or what is run at the end
  kStdout = 1,
  kStderr = 2,
};

struct LogIndexEntry {
  std::uint64_t at = 0;      // in the log
  std::uint32_t length = 0;  // at most kMaxIndexed
  LogStream stream = LogStream::kMixed;
  WallTime time{};  // to the millisecond

  bool operator==(const LogIndexEntry&) const = default;
};

inline constexpr std::size_t kLogIndexBlock = 16;
inline constexpr std::uint32_t kMaxIndexed = (1U << 22U) - 1;
inline constexpr std::uint64_t kMaxIndexedAt = (std::uint64_t{1} << 40U) - 1;

using LogIndexBlock = std::array<char, kLogIndexBlock>;
LogIndexBlock encode_log_index_head(std::uint64_t inode);
LogIndexBlock encode_log_index_entry(const LogIndexEntry& entry);

// The inode; nullopt: it is no such head, or of a newer version.
std::optional<std::uint64_t> decode_log_index_head(std::string_view block);
// nullopt: it says nothing.
std::optional<LogIndexEntry> decode_log_index_entry(std::string_view block);

}  // namespace holdfast
