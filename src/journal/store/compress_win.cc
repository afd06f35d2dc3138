// SPDX-License-Identifier: Apache-2.0
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

}  // namespace holdfast::journal
