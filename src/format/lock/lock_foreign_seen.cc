// SPDX-License-Identifier: Apache-2.0
//
//   ForeignSeen, 256 bytes   0 head (lock_piece.h)   8 identity holder   80 i64 first_seen_boot
//                            88 i64 last_seen_boot   96 u64 generation   252 crc
#include "format/lock/lock_ledger.h"
#include "format/lock/lock_piece.h"

namespace holdfast {
namespace {

constexpr std::size_t kHolder = 8;
constexpr std::size_t kLockForeignSeenFirst = 80;
constexpr std::size_t kLockForeignSeenLast = 88;
constexpr std::size_t kLockForeignSeenGeneration = 96;
static_assert(kHolder + kIdentityBytes == kLockForeignSeenFirst);

}  // namespace

void encode(const ForeignSeen& seen, char* out) {
  FixedWriter<kForeignSeenBytes> piece(out);
  write_piece_head(piece, LockPiece::kForeignSeen);
  write_identity<kHolder>(piece, seen.holder);
  piece.number<kLockForeignSeenFirst>(seen.first_seen_boot_ns);
  piece.number<kLockForeignSeenLast>(seen.last_seen_boot_ns);
  piece.number<kLockForeignSeenGeneration>(seen.generation);
  piece.seal();
}

Result<std::optional<ForeignSeen>> decode_foreign_seen(std::string_view bytes) {
  FixedReader<kForeignSeenBytes> in(bytes);
  if (!HF_TRY(open_piece(in, LockPiece::kForeignSeen))) return std::nullopt;
  ForeignSeen seen;
  read_identity<kHolder>(in, seen.holder);
  in.number<kLockForeignSeenFirst>(seen.first_seen_boot_ns);
  in.number<kLockForeignSeenLast>(seen.last_seen_boot_ns);
  in.number<kLockForeignSeenGeneration>(seen.generation);
  if (!in.ok()) return fail(bad_field(LockPiece::kForeignSeen));
  return seen;
}

}  // namespace holdfast
