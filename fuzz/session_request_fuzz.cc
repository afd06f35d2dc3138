// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: decode answers, never crashes; what it accepts fits into one piece again.
#include <cstdlib>

#include "format/session/session_request.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto request = decode_session_request({reinterpret_cast<const char*>(data), size});
  if (!request) {
    const ErrorCode code = request.error().code;
    if (code != ErrorCode::kCorrupt && code != ErrorCode::kCannotTell) std::abort();
    return 0;
  }
  std::string line = encode_session_request(*request);
  if (line.size() > kMaxSessionRequestBytes || line.back() != '\n') std::abort();
  line.pop_back();
  const auto again = decode_session_request(line);
  if (!again || again->grace != request->grace || again->signal != request->signal) std::abort();
  return 0;
}
