// SPDX-License-Identifier: Apache-2.0
//
//   header, 64 bytes     0 magic "hfledger"   8 u32 version   60 crc
//   FenceMark, 64 bytes  0 head (lock_piece.h)   8 u64 seq   16 u64 mark   60 crc
//   ForeignSeen, 256 bytes   0 head (lock_piece.h)   8 identity holder   80 i64 first_seen_boot
//                            88 i64 last_seen_boot   96 u64 generation   252 crc
#include "format/lock/lock_ledger.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "format/json/format_version.h"
#include "format/lock/lock_piece.h"

namespace holdfast {
namespace {

// The words for the choices of a lock's record. They stand in JSON and in journals: never renamed.
using Word = std::string_view;

constexpr std::array<Word, 2> kModes{"exclusive", "shared"};
constexpr std::array<Word, 4> kBindings{"exec", "lib", "owner", "ttl"};
constexpr std::array<Word, 3> kYieldWords{"wait", "take", "kill"};
constexpr std::array<Word, 9> kCauses{"created",  "fresh",    "dead",   "rebooted", "expired",
                                      "replaced", "released", "broken", "retired"};

}  // namespace

std::string_view to_text(LockMode mode) { return kModes[std::to_underlying(mode)]; }
std::string_view to_text(LockBinding binding) { return kBindings[std::to_underlying(binding)]; }
std::string_view to_text(LockYields yields) { return kYieldWords[std::to_underlying(yields)]; }
std::string_view to_text(LockCause cause) { return kCauses[std::to_underlying(cause)]; }

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

namespace {

constexpr std::string_view kMagic = "hfledger";
constexpr std::size_t kVersion = 8;

constexpr std::size_t kMarkSeq = 8;
constexpr std::size_t kMarkMark = 16;

Error no_ledger(std::string_view subject, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kCorrupt,
          .op = "read the ledger of a lock",
          .subject = std::string(subject),
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

}  // namespace

std::string encode_ledger_header() {
  std::string bytes(kLedgerHeaderBytes, '\0');
  FixedWriter<kLedgerHeaderBytes> out(bytes.data());
  std::copy(kMagic.begin(), kMagic.end(), bytes.begin());
  out.number<kVersion>(static_cast<std::uint32_t>(kLedgerVersion));
  out.seal();
  return bytes;
}

Result<> check_ledger_header(std::string_view bytes, std::string_view subject) {
  if (!bytes.starts_with(kMagic)) {
    return fail(no_ledger(subject, "bad-field",
                          "it does not begin as a ledger does; it was left as it is"));
  }
  const FixedReader<kLedgerHeaderBytes> in(bytes);
  if (!in.is_sealed()) {
    return fail(no_ledger(subject, "bad-checksum",
                          "the checksum of its header does not match; it was left as it is"));
  }
  const auto version = in.number<std::uint32_t, kVersion>();
  return check_format_version("ledger of a lock", subject, version, kLedgerVersion);
}

void encode(const FenceMark& mark, char* out) {
  FixedWriter<kMarkBytes> piece(out);
  write_piece_head(piece, LockPiece::kMark);
  piece.number<kMarkSeq>(mark.seq);
  piece.number<kMarkMark>(mark.mark);
  piece.seal();
}

Result<std::optional<FenceMark>> decode_fence_mark(std::string_view bytes) {
  const FixedReader<kMarkBytes> in(bytes);
  if (!HF_TRY(open_piece(in, LockPiece::kMark))) return std::nullopt;
  FenceMark mark;
  in.number<kMarkSeq>(mark.seq);
  in.number<kMarkMark>(mark.mark);
  return mark;
}

std::uint64_t highest_mark(std::string_view mark_a, std::string_view mark_b) {
  const auto mark_in = [](std::string_view bytes) -> std::uint64_t {
    const auto mark = decode_fence_mark(bytes);
    return mark && *mark ? (*mark)->mark : 0;
  };
  return std::max(mark_in(mark_a), mark_in(mark_b));
}

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
