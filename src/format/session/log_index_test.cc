// SPDX-License-Identifier: Apache-2.0
#include "format/session/log_index.h"

#include <gtest/gtest.h>

#include "format/json/record_fixture.h"
#include "format/session/session_test_values.h"

namespace holdfast {
namespace {

std::string text_of(const LogIndexBlock& block) { return {block.data(), block.size()}; }

const LogIndexEntry kSmall{.at = 0, .length = 1, .stream = LogStream::kStdout, .time = WallTime{}};
const LogIndexEntry kLarge{.at = kMaxIndexedAt,
                           .length = kMaxIndexed,
                           .stream = LogStream::kStderr,
                           .time = session_test_time(7)};

TEST(LogIndex, ComesBackAsItWas) {
  EXPECT_EQ(decode_log_index_head(text_of(encode_log_index_head(0xfedcba9876543210U))),
            0xfedcba9876543210U);
  for (const LogIndexEntry& entry : {kSmall, kLarge, LogIndexEntry{.at = 3, .length = 0}}) {
    EXPECT_EQ(decode_log_index_entry(text_of(encode_log_index_entry(entry))), entry);
  }
}

// These bytes are on people's disks: a format that needs others needs another version.
TEST(LogIndex, BytesAreThoseOfTheGoldenFile) {
  EXPECT_EQ(text_of(encode_log_index_head(0x0102030405060708U)) +
                text_of(encode_log_index_entry(kSmall)) + text_of(encode_log_index_entry(kLarge)),
            golden("log_index.bin"));
}

TEST(LogIndex, WhatIsTornOrDamagedSaysNothing) {
  const std::string entry = text_of(encode_log_index_entry(kLarge));
  for (std::size_t length = 0; length < entry.size(); ++length) {
    EXPECT_EQ(decode_log_index_entry(entry.substr(0, length)), std::nullopt);
    std::string zeros_behind = entry.substr(0, length);
    zeros_behind.resize(entry.size(), '\0');
    if (zeros_behind != entry) {
      EXPECT_EQ(decode_log_index_entry(zeros_behind), std::nullopt) << length;
    }
  }
  for (std::size_t bit = 0; bit < entry.size() * 8; ++bit) {
    std::string flipped = entry;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_EQ(decode_log_index_entry(flipped), std::nullopt) << bit;
  }
  EXPECT_EQ(decode_log_index_entry(std::string(kLogIndexBlock, '\0')), std::nullopt);
}

TEST(LogIndex, AHeadOfAnotherKindOrVersionIsNone) {
  const std::string head = text_of(encode_log_index_head(1));
  std::string newer = head;
  newer[4] = 2;
  EXPECT_EQ(decode_log_index_head(newer), std::nullopt);
  EXPECT_EQ(decode_log_index_head("HFLX" + head.substr(4)), std::nullopt);
  for (std::size_t length = 0; length < head.size(); ++length) {
    EXPECT_EQ(decode_log_index_head(head.substr(0, length)), std::nullopt);
  }
}

}  // namespace
}  // namespace holdfast
