// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: decode_record answers; what it takes for a record is encoded to the same
// bytes.
#include <cstdlib>

#include "format/journal/journal_record.h"
#include "format/text/crc32c.h"

using namespace holdfast;

namespace {

void check(std::string_view line) {
  const auto record = decode_record(line);
  if (!record) return;
  std::string again;
  encode_record_body(record->fields, again);
  if (again != record->hashed) std::abort();
  encode_record_tail(record->hash, again);
  again.pop_back();
  if (again != line) std::abort();
  if (!is_event_type_spelling(record->fields.type)) std::abort();
  if (!is_writer_spelling(record->fields.writer)) std::abort();
}

// Random bytes do not have the right checksum, and the rest of the decoder would never be reached:
// the input as the summed part of a line, with a right seal behind it.
void check_sealed(std::string_view summed) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::uint32_t crc = crc32c(summed);
  std::string line(summed);
  line += ",\"c\":\"";
  for (int shift = 28; shift >= 0; shift -= 4) line += kDigits[crc >> shift & 0xf];
  line += '"';
  encode_record_tail({}, line);
  line.pop_back();
  check(line);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  check_sealed(text);
  if (const auto hash = decode_record_tail(text)) {
    std::string tail;
    encode_record_tail(*hash, tail);
    if (tail != text) std::abort();
  }
  return 0;
}
