// SPDX-License-Identifier: Apache-2.0
//
// The first line of an undo file (`.NAME.hf-undo`), which holds the old content of a file that is
// being written in place; the content follows it, byte for byte.
//
//   {"v":1,"kind":"holdfast-undo","boot":"<32
//   hex>","device":66305,"inode":1234,"mode":420,"size":17,
//    "sha256":"<64 hex>"}\n                                                         (one line)
//
// The inode says which file it belongs to; the device does too, but its number holds for one boot
// only. Size and hash say whether it is whole. Unknown keys are allowed; what is no such line is
// kCorrupt, a newer version kCannotTell (format_version.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/id128.h"
#include "base/result.h"

namespace holdfast {

struct UndoHeader {
  static constexpr std::int64_t kVersion = 1;

  Id128 boot;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint32_t mode = 0;
  std::uint64_t size = 0;
  Digest sha256;

  bool operator==(const UndoHeader&) const = default;
};

inline constexpr std::size_t kMaxUndoHeaderBytes = 4096;

// With its newline.
std::string encode_undo_header(const UndoHeader& header);

struct DecodedUndoHeader {
  UndoHeader header;
  std::size_t bytes = 0;  // of the line: where the content begins
};
// `start` is the beginning of the file, at least kMaxUndoHeaderBytes of it where there are so many.
Result<DecodedUndoHeader> decode_undo_header(std::string_view start, std::string_view subject);

}  // namespace holdfast
