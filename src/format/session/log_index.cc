// SPDX-License-Identifier: Apache-2.0
#include "format/session/log_index.h"

#include <algorithm>

#include "format/text/crc32c.h"

namespace holdfast {
namespace {

constexpr std::string_view kLogIndexMagic = "HFLI";
constexpr std::uint64_t kLogIndexVersion = 1;
constexpr std::size_t kVersionBytes = 4;
constexpr std::size_t kInodeAt = 8;
constexpr std::size_t kTimeAt = 8;
constexpr std::size_t kTimeBytes = 6;
constexpr std::size_t kCheckAt = 14;
constexpr unsigned kByteBits = 8;
constexpr unsigned kStreamBits = 2;
constexpr unsigned kAtShift = 24;
// Later than any WallTime can be.
constexpr auto kMaxMilliseconds = static_cast<std::uint64_t>(
    std::chrono::floor<std::chrono::milliseconds>(WallTime::max().time_since_epoch()).count());

void put_number(LogIndexBlock& block, std::size_t at, std::size_t bytes, std::uint64_t value) {
  for (std::size_t i = 0; i < bytes; ++i) {
    block[at + i] = static_cast<char>(value >> (i * kByteBits));
  }
}

std::uint64_t get_number(std::string_view block, std::size_t at, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) {
    value = (value << kByteBits) | static_cast<unsigned char>(block[at + i]);
  }
  return value;
}

std::uint64_t check_of(std::string_view block) {
  return crc32c(block.substr(0, kCheckAt)) & 0xffffU;
}

}  // namespace

LogIndexBlock encode_log_index_head(std::uint64_t inode) {
  LogIndexBlock block{};
  std::ranges::copy(kLogIndexMagic, block.begin());
  put_number(block, kLogIndexMagic.size(), kVersionBytes, kLogIndexVersion);
  put_number(block, kInodeAt, sizeof inode, inode);
  return block;
}

LogIndexBlock encode_log_index_entry(const LogIndexEntry& entry) {
  LogIndexBlock block{};
  const std::uint64_t where = std::min(entry.at, kMaxIndexedAt);
  const std::uint64_t length = std::min(entry.length, kMaxIndexed);
  const auto stream = static_cast<std::uint64_t>(entry.stream);
  put_number(block, 0, sizeof where, where << kAtShift | length << kStreamBits | stream);
  const auto passed =
      std::chrono::floor<std::chrono::milliseconds>(entry.time.time_since_epoch()).count();
  const std::uint64_t time = passed < 0 ? 0 : static_cast<std::uint64_t>(passed);
  put_number(block, kTimeAt, kTimeBytes, time);
  put_number(block, kCheckAt, 2, check_of({block.data(), block.size()}));
  return block;
}

std::optional<std::uint64_t> decode_log_index_head(std::string_view block) {
  if (block.size() != kLogIndexBlock || !block.starts_with(kLogIndexMagic)) return std::nullopt;
  if (get_number(block, kLogIndexMagic.size(), kVersionBytes) != kLogIndexVersion)
    return std::nullopt;
  return get_number(block, kInodeAt, sizeof(std::uint64_t));
}

std::optional<LogIndexEntry> decode_log_index_entry(std::string_view block) {
  if (block.size() != kLogIndexBlock) return std::nullopt;
  if (get_number(block, kCheckAt, 2) != check_of(block)) return std::nullopt;
  const std::uint64_t word = get_number(block, 0, sizeof(std::uint64_t));
  const std::uint64_t stream = word & ((1U << kStreamBits) - 1);
  if (stream > static_cast<std::uint64_t>(LogStream::kStderr)) return std::nullopt;
  const std::uint64_t time = get_number(block, kTimeAt, kTimeBytes);
  if (time > kMaxMilliseconds) return std::nullopt;
  return LogIndexEntry{.at = word >> kAtShift,
                       .length = static_cast<std::uint32_t>(word >> kStreamBits) & kMaxIndexed,
                       .stream = static_cast<LogStream>(stream),
                       .time = WallTime(std::chrono::milliseconds(time))};
}

}  // namespace holdfast
