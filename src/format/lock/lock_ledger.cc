// SPDX-License-Identifier: Apache-2.0
//
//   header, 64 bytes     0 magic "hfledger"   8 u32 version   60 crc
//   FenceMark, 64 bytes  0 head (lock_piece.h)   8 u64 seq   16 u64 mark   60 crc
#include "format/lock/lock_ledger.h"

#include <algorithm>

#include "format/json/format_version.h"
#include "format/lock/lock_piece.h"

namespace holdfast {
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

}  // namespace holdfast
