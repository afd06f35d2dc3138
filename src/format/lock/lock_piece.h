// SPDX-License-Identifier: Apache-2.0
//
// What the pieces of a lock's ledger have in common (lock_ledger.h):
//
//   0    u16  version, 1
//   2    u16  which piece it is: one that strayed to another place is not valid there
//   end  u32  CRC-32C of all before
//
// and the 72 bytes of a ProcessIdentity:
//
//   0 boot   16 machine   32 u64 pidns   40 u64 timens   48 u64 start   56 u64 pidfs
//   64 i32 pid   68 u32 uid
#pragma once

#include <cstdint>
#include <utility>

#include "base/result.h"
#include "format/session/process_identity.h"
#include "format/text/fixed_bytes.h"

namespace holdfast {

enum class LockPiece : std::uint16_t {
  kRecord = 1,
  kMark = 2,
  kReader = 3,
  kWaiter = 4,
  kNote = 5,
  kForeignSeen = 6,
};

inline constexpr std::uint16_t kPieceVersion = 1;

Error bad_checksum(LockPiece piece);
Error bad_field(LockPiece piece);
// The error of a whole piece of another version or kind.
Error wrong_piece(LockPiece piece, std::uint16_t version);

template <std::size_t kBytes>
void write_piece_head(FixedWriter<kBytes>& out, LockPiece piece) {
  out.template number<0>(kPieceVersion);
  out.template choice<2>(piece);
}

// False where the piece was never written. The checksum comes first: only what is whole has a
// version that can be believed.
template <std::size_t kBytes>
Result<bool> open_piece(const FixedReader<kBytes>& in, LockPiece piece) {
  if (!in.is_sealed()) {
    if (in.is_all_zeros()) return false;
    return fail(bad_checksum(piece));
  }
  const auto version = in.template number<std::uint16_t, 0>();
  const auto found = in.template number<std::uint16_t, 2>();
  if (version != kPieceVersion || found != std::to_underlying(piece)) {
    return fail(wrong_piece(piece, version));
  }
  return true;
}

inline constexpr std::size_t kIdentityBytes = 72;

template <std::size_t kAt, std::size_t kBytes>
void write_identity(FixedWriter<kBytes>& out, const ProcessIdentity& process) {
  out.template id<kAt>(process.boot);
  out.template id<kAt + 16>(process.machine);
  out.template number<kAt + 32>(process.pidns);
  out.template number<kAt + 40>(process.timens);
  out.template number<kAt + 48>(process.start);
  out.template number<kAt + 56>(process.pidfs);
  out.template number<kAt + 64>(process.pid);
  out.template number<kAt + 68>(process.uid);
}

// A negative pid is refused: whoever signals it would mean a whole process group.
template <std::size_t kAt, std::size_t kBytes>
void read_identity(FixedReader<kBytes>& in, ProcessIdentity& process) {
  in.template id<kAt>(process.boot);
  in.template id<kAt + 16>(process.machine);
  in.template number<kAt + 32>(process.pidns);
  in.template number<kAt + 40>(process.timens);
  in.template number<kAt + 48>(process.start);
  in.template number<kAt + 56>(process.pidfs);
  in.template number<kAt + 64>(process.pid);
  in.template number<kAt + 68>(process.uid);
  in.require(process.pid >= 0);
}

}  // namespace holdfast
