// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: decode answers, never crashes; what it accepts survives encode and decode
// again, unchanged.
#include <cstdlib>

#include "format/session/gc_plan.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto plan = decode_gc_plan(bytes, "plan")) {
    const auto again = decode_gc_plan(encode_gc_plan(*plan), "plan");
    if (!again || !(*again == *plan)) std::abort();
  }
  if (const auto note = decode_trash_note(bytes, "note")) {
    const auto again = decode_trash_note(encode_trash_note(*note), "note");
    if (!again || !(*again == *note)) std::abort();
  }
  return 0;
}
