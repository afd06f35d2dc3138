// SPDX-License-Identifier: Apache-2.0
//
// SegmentSource: the text of one segment by offset, plain or compressed, never beyond the snapshot.
//
// Memory is flat: a plain one keeps no buffer; a compressed one keeps the unpacker (at most 8 MiB
// of window) and unpacks forwards; an offset behind its position makes it start again from the
// front.
//
// Errors: kBusy (`segment-removed`) where the file is gone; kCorrupt (`bad-compression`) where a
// compressed one cannot be unpacked further: everything before was right; kCorrupt (kNoFileCause)
// where the name is not that of a file; kRefused (`unsupported`)
// for a compressed one on Windows, where there is no zstd library; the system's own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "journal/read/snapshot.h"
#include "os/dir/dir.h"
#include "os/file/file.h"

namespace holdfast::journal {

class SegmentSource {
 public:
  virtual ~SegmentSource() = default;

  // Fills `out` from `offset` on; fewer bytes only at the end of the text, or in front of a
  // fault().
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) = 0;
  // The length of the text. A compressed one is unpacked once for it; where that fails, it is the
  // length up to there, and fault() says why.
  virtual Result<std::uint64_t> size() = 0;
  [[nodiscard]] virtual std::optional<Error> fault() const { return std::nullopt; }
};

Result<std::unique_ptr<SegmentSource>> open_segment(const os::Dir& dir, const SegmentFile& segment);

// As open_segment, but for readers, who go on with the other segments: a directory, link, pipe or
// device in the segment's place is an empty text whose fault() says so, cause kNoFileCause.
inline constexpr std::string_view kNoFileCause = "no-file";
Result<std::unique_ptr<SegmentSource>> open_segment_to_read(const os::Dir& dir,
                                                            const SegmentFile& segment);

// What is said where the file is gone: whoever reads takes a new snapshot.
Error segment_removed(const os::Dir& dir, const SegmentRef& segment);

// Of a compressed file (zstd_source_posix.cc; not on Windows).
Result<std::unique_ptr<SegmentSource>> open_zstd_source(os::File file);

}  // namespace holdfast::journal
