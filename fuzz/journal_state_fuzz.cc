// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: a slot decodes to nothing, or to a note that is encoded to the same bytes.
#include <cstdlib>

#include "format/journal/journal_state.h"
#include "format/text/crc32c.h"

using namespace holdfast;

namespace {

void check(std::string_view slot) {
  if (const auto note = decode_head_note(slot); note && encode_note(*note) != slot) std::abort();
  if (const auto note = decode_sync_note(slot); note && encode_note(*note) != slot) std::abort();
  if (const auto note = decode_drop_note(slot); note && encode_note(*note) != slot) std::abort();
}

// The input as the summed part of a slot, with a right checksum and padding behind it.
void check_sealed(std::string_view summed) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::uint32_t crc = crc32c(summed);
  std::string slot(summed);
  slot += ",\"c\":\"";
  for (int shift = 28; shift >= 0; shift -= 4) slot += kDigits[crc >> shift & 0xf];
  slot += "\"}";
  slot.resize(kStateSlotBytes - 1, ' ');
  check(slot + '\n');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  check_sealed(text);
  return 0;
}
