// SPDX-License-Identifier: Apache-2.0
// Full pieces of a ledger, every field its own value, and what all pieces are tested for.
#pragma once

#include <gtest/gtest.h>  // lint: os_only only tests include this

#include <optional>
#include <string>

#include "format/lock/lock_ledger.h"
#include "format/text/crc32c.h"

namespace holdfast {

inline Id128 test_id(std::uint8_t first) {
  Id128 id;
  for (std::uint8_t i = 0; i < 16; ++i) id.bytes[i] = static_cast<std::uint8_t>(first + i);
  return id;
}

inline ProcessIdentity test_identity(std::int32_t pid) {
  return {.boot = test_id(0x40),
          .machine = test_id(0x60),
          .pidns = 4'026'531'836,
          .timens = 4'026'531'834,
          .pid = pid,
          .start = 8'823'177,
          .pidfs = 1'234'567'890'123,
          .uid = 1000};
}

inline LockRecord test_record() {
  return {.seq = 41,
          .state = LockState::kHeld,
          .mode = LockMode::kShared,
          .binding = LockBinding::kOwner,
          .yields = LockYields::kKill,
          .cause = LockCause::kRebooted,
          .epoch = 3,
          .generation = 1'025,
          .token = test_id(0x80),
          .work = test_identity(4711),
          .keeper = test_identity(4712),
          .ttl_ns = 30'000'000'000,
          .deadline_ns = 86'430'000'000'001,
          .beat_ns = 86'400'000'000'002,
          .progress_ns = 86'400'000'000'003,
          .since_ns = 1'763'200'000'123'456'789,
          .changed_ns = 1'763'200'000'223'456'789,
          .host = "alpha",
          .reason = "nightly build, K\xC3\xA4se",
          .command = "make -j8 all"};
}

inline ReaderSlot test_reader() {
  return {.token = test_id(0x90),
          .binding = LockBinding::kTtl,
          .yields = LockYields::kTake,
          .work = test_identity(4713),
          .ttl_ns = 5'000'000'000,
          .deadline_ns = 86'405'000'000'001,
          .beat_ns = 86'400'000'000'004,
          .since_ns = 1'763'200'000'323'456'789,
          .command = "tail -f log"};
}

inline WaiterSlot test_waiter() {
  return {.mode = LockMode::kShared,
          .process = test_identity(4714),
          .since_ns = 1'763'200'000'423'456'789,
          .since_boot_ns = 86'400'000'000'005,
          .command = "sh deploy.sh"};
}

inline WaitNote test_note() {
  return {.token = test_id(0xa0),
          .since_boot_ns = 86'400'000'000'006,
          .pid = 4715,
          .label = "deploy",
          .ledger = "/home/alpha/.local/state/holdfast/locks/deploy.lock"};
}

template <std::size_t kBytes>
std::string encoded(const auto& piece) {
  std::string bytes(kBytes, '\xee');  // what was there must not show through
  encode(piece, bytes.data());
  return bytes;
}

// The bytes with a right checksum, whatever they say.
inline std::string resealed(std::string bytes) {
  const std::uint32_t crc = crc32c({bytes.data(), bytes.size() - 4});
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[bytes.size() - 4 + i] = static_cast<char>(crc >> 8 * i);
  }
  return bytes;
}

inline std::string with_byte(std::string bytes, std::size_t at, int value) {
  bytes[at] = static_cast<char>(value);
  return bytes;
}

template <typename T>
std::string cause_of(const Result<T>& result) {
  return result ? "" : result.error().cause;
}

// What was decoded; nothing also for an error.
template <typename T>
std::optional<T> value_of(const Result<std::optional<T>>& result) {
  return result ? *result : std::nullopt;
}

// The answers that every piece gives. `decode` is the decoder of `bytes`, which are a valid piece.
inline void expect_piece_rules(const std::string& bytes, auto decode) {
  const auto expect = [&](const std::string& changed, ErrorCode code, std::string_view cause) {
    const auto result = decode(changed);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code);
    EXPECT_EQ(result.error().cause, cause);
  };
  ASSERT_TRUE(value_of(decode(bytes)));
  ASSERT_NE(bytes.back(), '\0') << "else the last cut is none";

  for (const std::size_t zeros : {std::size_t{0}, std::size_t{1}, bytes.size()}) {
    const auto nothing = decode(std::string(zeros, '\0'));
    ASSERT_TRUE(nothing) << zeros;
    EXPECT_FALSE(*nothing) << zeros;
  }
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    ASSERT_NO_FATAL_FAILURE(expect(bytes.substr(0, length), ErrorCode::kCorrupt, "bad-checksum"))
        << "cut at " << length;
  }
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const std::string flipped = with_byte(bytes, bit / 8, bytes[bit / 8] ^ 1 << bit % 8);
    ASSERT_NO_FATAL_FAILURE(expect(flipped, ErrorCode::kCorrupt, "bad-checksum")) << "bit " << bit;
  }
  expect(resealed(with_byte(bytes, 0, 2)), ErrorCode::kCannotTell, "newer-version");
  expect(resealed(with_byte(bytes, 1, 1)), ErrorCode::kCannotTell, "newer-version");
  expect(resealed(with_byte(bytes, 0, 0)), ErrorCode::kCorrupt, "no-version");
  expect(resealed(with_byte(bytes, 2, 9)), ErrorCode::kCorrupt, "bad-field");

  const auto grown = decode(resealed(with_byte(bytes, bytes.size() - 5, 1)));
  ASSERT_TRUE(grown) << "a later version may use what is unused";
  EXPECT_EQ(value_of(grown), value_of(decode(bytes)));
}

}  // namespace holdfast
