// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: each piece of a ledger is a value, nothing or an error; a value survives
// encode and decode again; and only zeros are nothing.
#include <algorithm>
#include <cstdlib>

#include "format/lock/lock_ledger.h"
#include "format/text/crc32c.h"

using namespace holdfast;

namespace {

bool is_zeros(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](char c) { return c == '\0'; });
}

void check(std::string_view bytes, std::size_t size, auto decode) {
  const auto piece = decode(bytes);
  if (!piece) {
    const ErrorCode code = piece.error().code;
    if (code != ErrorCode::kCorrupt && code != ErrorCode::kCannotTell) std::abort();
    return;
  }
  if (!*piece) {
    if (!is_zeros(bytes.substr(0, size))) std::abort();
    return;
  }
  std::string again(size, '\xee');
  encode(**piece, again.data());
  const auto read = decode(again);
  if (!read || *read != *piece) std::abort();
}

// As it is, and as a piece with a right checksum.
void check_both(std::string_view bytes, std::size_t size, auto decode) {
  check(bytes, size, decode);
  std::string piece(bytes.substr(0, size - 4));
  piece.resize(size, '\0');
  const std::uint32_t crc = crc32c(std::string_view(piece).substr(0, size - 4));
  for (std::size_t i = 0; i < 4; ++i) piece[size - 4 + i] = static_cast<char>(crc >> 8 * i);
  check(piece, size, decode);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_both(bytes, kRecordBytes, decode_lock_record);
  check_both(bytes, kMarkBytes, decode_fence_mark);
  check_both(bytes, kReaderBytes, decode_reader_slot);
  check_both(bytes, kWaiterBytes, decode_waiter_slot);
  check_both(bytes, kNoteBytes, decode_wait_note);
  const std::string_view slot_b = bytes.substr(std::min(size, kRecordBytes));
  const auto newest = newest_record(bytes, slot_b);
  if (newest) {
    const auto alone = decode_lock_record(newest->slot == 0 ? bytes : slot_b);
    if (!alone || *alone != newest->record) std::abort();
  }
  if (check_ledger_header(bytes, "x") &&
      bytes.substr(0, 12) != encode_ledger_header().substr(0, 12)) {
    std::abort();
  }
  static_cast<void>(highest_mark(bytes, slot_b));
  return 0;
}
