// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: decode answers, never crashes; what it accepts names a process and survives
// encode and decode again.
#include <cstdlib>

#include "format/session/process_identity.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto identity = decode_identity({reinterpret_cast<const char*>(data), size}, "id");
  if (!identity) {
    const ErrorCode code = identity.error().code;
    if (code != ErrorCode::kCorrupt && code != ErrorCode::kCannotTell) std::abort();
    return 0;
  }
  if (identity->process.pid <= 0) std::abort();
  const std::string line = encode_identity(*identity);
  if (line.find('\n') != line.npos || line.size() > kMaxIdentityBytes) std::abort();
  const auto again = decode_identity(line, "id");
  if (!again || *again != *identity) std::abort();
  return 0;
}
