// SPDX-License-Identifier: Apache-2.0
#include "format/text/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace holdfast {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // Castagnoli's, bits reversed

// "Slicing by 8": kTables[k][b] is the effect of byte b with k zero bytes behind it.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t crc = tables[k - 1][byte];
      tables[k][byte] = crc >> 8 ^ tables[0][crc & 0xff];
    }
  }
  return tables;
}
constexpr Tables kTables = make_tables();

std::uint32_t byte_at(const char* at) { return static_cast<std::uint8_t>(*at); }

#if defined(__x86_64__)
// Three lanes at once where there is enough: the instruction takes three cycles, and the processor
// does three of them in that time. A lane's result is then carried over the bytes behind it: as if
// they were zeros, which is a linear map of the 32 bits, kept as four tables.
constexpr std::size_t kLane = 336;  // bytes: three of them fill a record of a lock's ledger
using Shift = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr Shift make_shift() {
  std::array<std::uint32_t, 32> of_bit{};
  for (std::size_t bit = 0; bit < of_bit.size(); ++bit) {
    std::uint32_t crc = std::uint32_t{1} << bit;
    for (std::size_t i = 0; i < kLane; ++i) crc = crc >> 8 ^ kTables[0][crc & 0xff];
    of_bit[bit] = crc;
  }
  Shift shift{};
  for (std::size_t at = 0; at < shift.size(); ++at) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      for (std::size_t bit = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1U) != 0) shift[at][byte] ^= of_bit[8 * at + bit];
      }
    }
  }
  return shift;
}
constexpr Shift kShift = make_shift();

std::uint32_t over_a_lane(std::uint32_t crc) {
  return kShift[0][crc & 0xff] ^ kShift[1][crc >> 8 & 0xff] ^ kShift[2][crc >> 16 & 0xff] ^
         kShift[3][crc >> 24];
}

std::uint64_t word_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// One question, when it is first of interest. The compiler's own __builtin_cpu_supports asks a
// dozen at the start of every program, and under a hypervisor each of them takes microseconds.
bool has_instruction() {
  static const bool kHas = [] {
    constexpr std::uint32_t kSse42 = std::uint32_t{1} << 20U;  // in ECX of leaf 1
    std::uint32_t leaf = 1;
    std::uint32_t ebx = 0;
    std::uint32_t ecx = 0;
    std::uint32_t edx = 0;
    __asm__("cpuid" : "+a"(leaf), "=b"(ebx), "+c"(ecx), "=d"(edx));
    return (ecx & kSse42) != 0;
  }();
  return kHas;
}

__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::string_view bytes,
                                                               std::uint32_t before) {
  std::uint64_t crc = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 3 * kLane; at += 2 * kLane, left -= 3 * kLane) {
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (const char* const end = at + kLane; at < end; at += 8) {
      crc = __builtin_ia32_crc32di(crc, word_at(at));
      second = __builtin_ia32_crc32di(second, word_at(at + kLane));
      third = __builtin_ia32_crc32di(third, word_at(at + 2 * kLane));
    }
    crc = over_a_lane(static_cast<std::uint32_t>(crc)) ^ second;
    crc = over_a_lane(static_cast<std::uint32_t>(crc)) ^ third;
  }
  for (; left >= 8; at += 8, left -= 8) crc = __builtin_ia32_crc32di(crc, word_at(at));
  auto rest = static_cast<std::uint32_t>(crc);
  if (left >= 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    rest = __builtin_ia32_crc32si(rest, word);
    at += 4;
    left -= 4;
  }
  for (; left > 0; ++at, --left) {
    rest = __builtin_ia32_crc32qi(rest, static_cast<std::uint8_t>(*at));
  }
  return ~rest;
}
#else
bool has_instruction() { return false; }
std::uint32_t by_instruction(std::string_view bytes, std::uint32_t before) {
  return crc32c_portable(bytes, before);
}
#endif

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  return has_instruction() ? by_instruction(bytes, before) : crc32c_portable(bytes, before);
}

std::uint32_t crc32c_portable(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    crc = kTables[7][(crc ^ byte_at(at)) & 0xff] ^ kTables[6][(crc >> 8 ^ byte_at(at + 1)) & 0xff] ^
          kTables[5][(crc >> 16 ^ byte_at(at + 2)) & 0xff] ^
          kTables[4][(crc >> 24 ^ byte_at(at + 3)) & 0xff] ^ kTables[3][byte_at(at + 4)] ^
          kTables[2][byte_at(at + 5)] ^ kTables[1][byte_at(at + 6)] ^ kTables[0][byte_at(at + 7)];
  }
  for (; left > 0; ++at, --left) crc = crc >> 8 ^ kTables[0][(crc ^ byte_at(at)) & 0xff];
  return ~crc;
}

}  // namespace holdfast
