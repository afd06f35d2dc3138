// SPDX-License-Identifier: Apache-2.0
//
// One record of the journal: one line, one JSON object, its keys always in this order:
//
//   {"v":1,"n":7,"t":1763200000123456,"m":86400123456,"b":"0f3c9a12","w":"4711.88231","k":"event",
//    "e":"lock.busy","d":{…},"c":"e3069283","h":"<43 characters>"}\n
//
//   v  version    n  sequence number    t  wall time, µs since 1970    m  time since boot, µs
//   b  first 8 digits of the boot id    w  writer    k  class    e  type    d  data, an object
//   c  CRC-32C, 8 hex digits, of every byte before `,"c":`
//   h  the chain: SHA-256, base64url, over (domain, journal id, previous h, every byte before
//   `,"h":`)
//
// The hash is made by src/journal (journal/store/chain.h); the codec lays out the bytes around it. Raw
// bytes are summed and hashed, never a re-serialised object. The fixed order and the fixed-width
// end let a reader find type, number and chain without parsing JSON.
//
// decode_record is exact: the one spelling above, no spaces, no leading zeros, no other order. It
// checks frame and checksum, not that `d` is well-formed inside (the checksum vouches for what the
// writer wrote) and not the chain (a neighbour is needed for that).
//
// What no later version changes: a line begins with `{"v":N,` and ends with `c` and `h` as above.
// So "newer" is said only of a line whose checksum is right, and a flipped digit in `v` is damage.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/event.h"

namespace holdfast {

inline constexpr std::int64_t kRecordVersion = 1;
// The longest line, newline included. Larger data goes to a blob before it is encoded.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{64} * 1024;
// `,"c":"xxxxxxxx","h":"…43…"}\n`: what every record ends with.
inline constexpr std::size_t kRecordSealBytes = 67;
// The part of it behind the hashed bytes: `,"h":"…43…"}\n`.
inline constexpr std::size_t kRecordTailBytes = 52;
// Everything in a line but writer, type and data, with the longest numbers.
inline constexpr std::size_t kRecordFrameBytes = 256;
inline constexpr std::size_t kMaxWriterBytes = 96;
inline constexpr std::size_t kMaxTypeBytes = 64;

struct RecordFields {
  std::uint64_t seq = 0;
  std::int64_t wall_us = 0;
  std::int64_t boot_us = 0;
  std::string_view boot;    // 8 lower-case hex digits
  std::string_view writer;  // letters, digits, '.', '~', '-', '_'
  EventClass event_class = EventClass::kEvent;
  std::string_view type;  // lower-case letters, digits, '.', '_', '-'
  std::string_view data;  // a compact JSON object
};

// Views into the decoded line.
struct RecordView {
  RecordFields fields;
  std::string_view hashed;  // every byte before `,"h":`
  Digest hash;
};

enum class LineFault : std::uint8_t {
  kNotARecord,    // not this frame: torn, fused, edited, NUL bytes, CRLF, a byte order mark
  kChecksum,      // the frame is there, the bytes are not what was written
  kNewerVersion,  // a later holdfast wrote it; not damage
  kTooLong,       // longer than any record
};
std::string_view to_text(
    LineFault fault);  // "not-a-record", "checksum", "newer-version", "too-long"

// Appends every byte before `,"h":` to `out`. The fields must be as said above (asserted in tests
// by decoding; journal/ checks type and writer before it comes here).
void encode_record_body(const RecordFields& fields, std::string& out);
// Appends `,"h":"…"}\n`.
void encode_record_tail(const Digest& hash, std::string& out);

// `line` without its newline.
std::expected<RecordView, LineFault> decode_record(std::string_view line);

// The chain hash at the end of a line that is known to be whole (kRecordTailBytes with newline);
// nothing where the bytes are not such an end.
std::optional<Digest> decode_record_tail(std::string_view tail);

// 1 to kMaxTypeBytes bytes as said above, the first one a letter, no dot at the end or beside
// another.
bool is_event_type_spelling(std::string_view text);
// 1 to kMaxWriterBytes bytes as said above.
bool is_writer_spelling(std::string_view text);

}  // namespace holdfast
