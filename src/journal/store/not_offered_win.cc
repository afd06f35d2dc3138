// SPDX-License-Identifier: Apache-2.0
//
// What the journal does not offer on Windows.
#include "journal/read/segment_source.h"
#include "journal/store/compress.h"
#include "journal/store/layout.h"

namespace holdfast::journal {

Result<Compressed> compress_segment(const os::Dir& dir, std::uint64_t first_seq) {
  return fail({.code = ErrorCode::kRefused,
               .op = "compress the segment",
               .subject = dir.path_of(segment_name({.first_seq = first_seq})),
               .cause = "unsupported",
               .detail = "there is no zstd library in this build"});
}

Result<std::unique_ptr<SegmentSource>> open_zstd_source(os::File file) {
  return fail({.code = ErrorCode::kRefused,
               .op = "unpack the segment",
               .subject = file.path(),
               .cause = "unsupported",
               .detail = "there is no zstd library in this build"});
}

}  // namespace holdfast::journal
