// SPDX-License-Identifier: Apache-2.0
#include "format/file/undo_header.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

// The golden line of version 1: an undo file that an older program left must stay usable.
constexpr std::string_view kUndoHeaderGolden =
    "{\"v\":1,\"kind\":\"holdfast-undo\",\"boot\":\"03000000000000000000000000000000\","
    "\"device\":66305,\"inode\":1234,\"mode\":416,\"size\":17,\"sha256\":"
    "\"0102000000000000000000000000000000000000000000000000000000000000\"}\n";

UndoHeader undo_header_sample() {
  UndoHeader header{
      .boot = {}, .device = 66305, .inode = 1234, .mode = 0640, .size = 17, .sha256 = {}};
  header.boot.bytes[0] = 3;
  header.sha256.bytes[0] = 1;
  header.sha256.bytes[1] = 2;
  return header;
}

ErrorCode undo_header_code_of(std::string_view bytes) {
  const auto header = decode_undo_header(bytes, "undo");
  return header ? ErrorCode::kInternal : header.error().code;
}

TEST(UndoHeader, GoldenLineIsWrittenAndRead) {
  EXPECT_EQ(encode_undo_header(undo_header_sample()), kUndoHeaderGolden);
  const auto decoded = decode_undo_header(std::string(kUndoHeaderGolden) + "content\n", "undo");
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->header, undo_header_sample());
  EXPECT_EQ(decoded->bytes, kUndoHeaderGolden.size());
}

TEST(UndoHeader, CutAtEveryByteItIsCorrupt) {
  for (std::size_t length = 0; length < kUndoHeaderGolden.size(); ++length) {
    EXPECT_EQ(undo_header_code_of(kUndoHeaderGolden.substr(0, length)), ErrorCode::kCorrupt)
        << length;
  }
}

TEST(UndoHeader, NewerVersionIsCannotTell) {
  EXPECT_EQ(undo_header_code_of("{\"v\":2,\"kind\":\"holdfast-undo\"}\n"), ErrorCode::kCannotTell);
}

TEST(UndoHeader, EverythingElseIsCorrupt) {
  for (const char* bytes :
       {"\n", "[]\n", "{}\n", "{\"v\":1,\"kind\":\"holdfast-undo\"}\n",
        "{\"v\":1,\"kind\":\"holdfast-home\",\"device\":1,\"inode\":1,\"size\":1}\n",
        "{\"v\":1,\"kind\":\"holdfast-undo\",\"device\":-1,\"inode\":1,\"size\":1,\"sha256\":\"\"}"
        "\n"}) {
    EXPECT_EQ(undo_header_code_of(bytes), ErrorCode::kCorrupt) << bytes;
  }
}

}  // namespace
}  // namespace holdfast
