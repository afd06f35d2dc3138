// SPDX-License-Identifier: Apache-2.0
#include "format/lock/lock_piece.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "format/json/format_version.h"

namespace holdfast {
namespace {

// By LockPiece.
constexpr std::array<std::string_view, 7> kLockPieceNames{
    "",          "record of a lock",   "fence mark of a lock", "reader slot", "waiter slot",
    "wait note", "foreign holder seen"};

std::string_view lock_piece_name_of(LockPiece piece) {
  return kLockPieceNames[static_cast<std::size_t>(piece)];
}

Error damaged(LockPiece piece, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kCorrupt,
          .op = "read the " + std::string(lock_piece_name_of(piece)),
          .subject = "",
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

}  // namespace

Error bad_checksum(LockPiece piece) {
  return damaged(piece, "bad-checksum", "its checksum does not match; it was left as it is");
}

Error bad_field(LockPiece piece) {
  return damaged(piece, "bad-field",
                 "its checksum matches, but it has a value that cannot be; it was left as it is");
}

Error wrong_piece(LockPiece piece, std::uint16_t version) {
  auto known = check_format_version(lock_piece_name_of(piece), "", version, kPieceVersion);
  return known ? bad_field(piece) : std::move(known).error();
}

}  // namespace holdfast
