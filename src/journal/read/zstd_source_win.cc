// SPDX-License-Identifier: Apache-2.0
#include "journal/read/segment_source.h"

namespace holdfast::journal {

Result<std::unique_ptr<SegmentSource>> open_zstd_source(os::File file) {
  return fail({.code = ErrorCode::kRefused,
               .op = "unpack the segment",
               .subject = file.path(),
               .cause = "unsupported",
               .detail = "there is no zstd library in this build"});
}

}  // namespace holdfast::journal
