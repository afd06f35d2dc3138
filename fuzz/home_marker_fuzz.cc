// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: decode answers, never crashes; what it accepts survives encode and decode
// again.
#include <cstdlib>

#include "format/json/home_marker.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto marker = decode_home_marker({reinterpret_cast<const char*>(data), size}, "format");
  if (!marker) {
    const ErrorCode code = marker.error().code;
    if (code != ErrorCode::kCorrupt && code != ErrorCode::kCannotTell) std::abort();
    return 0;
  }
  const auto again = decode_home_marker(encode_home_marker(*marker), "format");
  if (!again || again->created != marker->created) std::abort();
  return 0;
}
