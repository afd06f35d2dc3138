// SPDX-License-Identifier: Apache-2.0
#include "format/session/outside_entry.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

OutsideEntryRecord outside_sample() {
  return {.id = *parse_id128("00112233445566778899aabbccddeeff"),
          .name = "fix \xff",
          .directory = "/srv/agents/ab12 \xff",
          .device = 2049,
          .inode = 4711,
          .birth_ns = -1};
}

// These bytes are on people's disks: a format that needs others needs another version.
constexpr std::string_view kBytes =
    R"({"v":1,"kind":"holdfast-outside-directory","id":"00112233445566778899aabbccddeeff",)"
    R"("name":{"hex":"66697820ff"},"directory":{"hex":"2f7372762f6167656e74732f6162313220ff"},)"
    R"("device":2049,"inode":4711,"birth_ns":-1})"
    "\n";

TEST(OutsideEntry, ComesBackAsItWasFromTheBytesThatItAlwaysHas) {
  EXPECT_EQ(encode_outside_entry(outside_sample()), kBytes);
  const auto again = decode_outside_entry(kBytes, "entry");
  ASSERT_TRUE(again) << to_sentence(again.error());
  EXPECT_TRUE(*again == outside_sample());
}

TEST(OutsideEntry, CutAtEveryByteItIsCorruptAndNeverNothing) {
  for (std::size_t length = 0; length + 1 < kBytes.size(); ++length) {
    const auto cut = decode_outside_entry(kBytes.substr(0, length), "entry");
    ASSERT_FALSE(cut) << length;
    EXPECT_EQ(cut.error().code, ErrorCode::kCorrupt) << length;
    EXPECT_EQ(cut.error().cause, "bad-outside-entry") << length;
  }
}

TEST(OutsideEntry, ANewerOneIsCannotTell) {
  std::string newer(kBytes);
  newer.replace(newer.find("\"v\":1"), 5, "\"v\":2");
  EXPECT_EQ(decode_outside_entry(newer, "entry").error().code, ErrorCode::kCannotTell);
}

}  // namespace
}  // namespace holdfast
