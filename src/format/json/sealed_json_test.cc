// SPDX-License-Identifier: Apache-2.0
#include "format/json/sealed_json.h"

#include <gtest/gtest.h>

#include "format/loop/step_test_values.h"
#include "format/session/series_record.h"
#include "format/session/series_test_values.h"
#include "format/session/session_record.h"
#include "format/session/session_test_values.h"

namespace holdfast {
namespace {

// Any flipped bit is found, or was one of the name of the checksum, and changed nothing.
template <typename Decode>
void expect_flips_found(const std::string& bytes, const Decode& decode) {
  const auto whole = decode(bytes);
  ASSERT_TRUE(whole);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    const auto read = decode(damaged);
    if (read) {
      EXPECT_EQ(*read, *whole) << bit << ": " << damaged;
    }
  }
}

TEST(SealedJson, AFlippedBitNeverMakesAnotherRecord) {
  expect_flips_found(encode_step_record(full_step()),
                     [](std::string_view bytes) { return decode_step_record(bytes, "r"); });
  expect_flips_found(encode_session_record(full_session()),
                     [](std::string_view bytes) { return decode_session_record(bytes, "r"); });
  expect_flips_found(encode_series_record(full_series()),
                     [](std::string_view bytes) { return decode_series_record(bytes, "r"); });
}

TEST(SealedJson, ARecordOfVersion01HasNoneAndIsRead) {
  const std::string sealed = encode_step_record(full_step());
  const std::string bytes = sealed.substr(0, sealed.rfind(",\"crc32c\"")) + "}\n";
  const auto read = decode_step_record(bytes, "r");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, full_step());
}

}  // namespace
}  // namespace holdfast
