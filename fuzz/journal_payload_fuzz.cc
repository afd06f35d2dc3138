// SPDX-License-Identifier: Apache-2.0
// Whatever the data of a journal's own record: every decoder answers, and what it accepts survives
// encode and decode again.
#include <cstdlib>

#include "format/journal/journal_payload.h"

using namespace holdfast;

namespace {

template <typename Payload>
void check(std::string_view data,
           Result<Payload> (*decode)(std::string_view data, std::string_view subject)) {
  const auto payload = decode(data, "segment");
  if (!payload) {
    const ErrorCode code = payload.error().code;
    if (code != ErrorCode::kCorrupt && code != ErrorCode::kCannotTell) std::abort();
    return;
  }
  const auto again = decode(encode(*payload).json(), "segment");
  if (!again || *again != *payload) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, decode_segment_opened);
  check(text, decode_segment_sealed);
  check(text, decode_journal_repaired);
  check(text, decode_journal_retention);
  check(text, decode_journal_sync_error);
  check(text, decode_journal_full);
  return 0;
}
