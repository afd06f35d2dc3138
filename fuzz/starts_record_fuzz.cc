// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: decode answers, never crashes; what it accepts survives encode and decode
// again, unchanged.
#include <cstdlib>

#include "format/lock/starts_record.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto record = decode_starts_record({reinterpret_cast<const char*>(data), size}, "record");
  if (!record) {
    const ErrorCode code = record.error().code;
    if (code != ErrorCode::kCorrupt && code != ErrorCode::kCannotTell) std::abort();
    return 0;
  }
  const auto again = decode_starts_record(encode_starts_record(*record), "record");
  if (!again || !(*again == *record)) std::abort();
  return 0;
}
