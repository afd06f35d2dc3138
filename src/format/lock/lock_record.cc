// SPDX-License-Identifier: Apache-2.0
//
// LockRecord, 1024 bytes:
//
//   0   head (lock_piece.h)        56   identity work       248  text host, up to 64
//   4   u8 state                   128  identity keeper     320  text reason, up to 160
//   5   u8 mode                    200  i64 ttl             488  text command, up to 240
//   6   u8 binding                 208  i64 deadline        730  unused
//   7   u8 yields                  216  i64 beat            1020 crc
//   8   u8 cause                   224  i64 progress
//   16  u64 seq                    232  i64 since
//   24  u64 epoch                  240  i64 changed
//   32  u64 generation
//   40  token
//
// Every acquire and release reads both slots and writes one. The texts of the older slot are
// therefore checked, but not copied.
#include <utility>

#include "format/lock/lock_ledger.h"
#include "format/lock/lock_piece.h"

namespace holdfast {
namespace {

constexpr std::size_t kState = 4;
constexpr std::size_t kMode = 5;
constexpr std::size_t kBinding = 6;
constexpr std::size_t kYields = 7;
constexpr std::size_t kLockRecordCause = 8;
constexpr std::size_t kSeq = 16;
constexpr std::size_t kEpoch = 24;
constexpr std::size_t kLockRecordGeneration = 32;
constexpr std::size_t kToken = 40;
constexpr std::size_t kWork = 56;
constexpr std::size_t kKeeper = kWork + kIdentityBytes;
constexpr std::size_t kTtl = 200;
constexpr std::size_t kDeadline = 208;
constexpr std::size_t kBeat = 216;
constexpr std::size_t kProgress = 224;
constexpr std::size_t kSince = 232;
constexpr std::size_t kChanged = 240;
constexpr std::size_t kHost = 248;
constexpr std::size_t kReason = 320;
constexpr std::size_t kCommand = 488;
static_assert(kKeeper + kIdentityBytes == kTtl);
static_assert(kHost + 2 + kMaxHost <= kReason && kReason + 2 + kMaxReason <= kCommand);

using LockRecordReader = FixedReader<kRecordBytes>;

struct Texts {
  std::string_view host;
  std::string_view reason;
  std::string_view command;
  bool operator==(const Texts&) const = default;
};

Texts read_texts(LockRecordReader& in) {
  return {.host = in.text<kHost, kMaxHost>(),
          .reason = in.text<kReason, kMaxReason>(),
          .command = in.text<kCommand, kMaxCommand>()};
}

void read_numbers(LockRecordReader& in, LockRecord& record) {
  in.choice<kState>(record.state, LockState::kRetired);
  in.choice<kMode>(record.mode, LockMode::kShared);
  in.choice<kBinding>(record.binding, LockBinding::kTtl);
  in.choice<kYields>(record.yields, LockYields::kKill);
  in.choice<kLockRecordCause>(record.cause, LockCause::kRetiredIdle);
  in.number<kSeq>(record.seq);
  in.number<kEpoch>(record.epoch);
  in.number<kLockRecordGeneration>(record.generation);
  in.id<kToken>(record.token);
  read_identity<kWork>(in, record.work);
  read_identity<kKeeper>(in, record.keeper);
  in.number<kTtl>(record.ttl_ns);
  in.number<kDeadline>(record.deadline_ns);
  in.number<kBeat>(record.beat_ns);
  in.number<kProgress>(record.progress_ns);
  in.number<kSince>(record.since_ns);
  in.number<kChanged>(record.changed_ns);
}

void set_texts(LockRecord& record, const Texts& texts) {
  record.host = texts.host;
  record.reason = texts.reason;
  record.command = texts.command;
}

// One slot, read as far as is needed to know whether it counts.
struct Slot {
  explicit Slot(std::string_view bytes) : in(bytes) {}

  // False where it was never written.
  Result<bool> read() {
    if (!HF_TRY(open_piece(in, LockPiece::kRecord))) return false;
    read_numbers(in, record);
    texts = read_texts(in);
    if (!in.ok()) return fail(bad_field(LockPiece::kRecord));
    return true;
  }

  LockRecordReader in;
  LockRecord record;  // its texts are not set
  Texts texts;
};

bool same(const Slot& a, const Slot& b) { return a.record == b.record && a.texts == b.texts; }

Error no_valid_record(std::string_view detail) {
  return {.code = ErrorCode::kCorrupt,
          .op = "read the record of a lock",
          .subject = "",
          .cause = "no-valid-record",
          .detail = std::string(detail)};
}

bool is_newer_version(const Result<bool>& read) {
  return !read && read.error().code == ErrorCode::kCannotTell;
}
bool is_valid(const Result<bool>& read) { return read && *read; }

}  // namespace

void encode(const LockRecord& record, char* out) {
  FixedWriter<kRecordBytes> piece(out);
  write_piece_head(piece, LockPiece::kRecord);
  piece.choice<kState>(record.state);
  piece.choice<kMode>(record.mode);
  piece.choice<kBinding>(record.binding);
  piece.choice<kYields>(record.yields);
  piece.choice<kLockRecordCause>(record.cause);
  piece.number<kSeq>(record.seq);
  piece.number<kEpoch>(record.epoch);
  piece.number<kLockRecordGeneration>(record.generation);
  piece.id<kToken>(record.token);
  write_identity<kWork>(piece, record.work);
  write_identity<kKeeper>(piece, record.keeper);
  piece.number<kTtl>(record.ttl_ns);
  piece.number<kDeadline>(record.deadline_ns);
  piece.number<kBeat>(record.beat_ns);
  piece.number<kProgress>(record.progress_ns);
  piece.number<kSince>(record.since_ns);
  piece.number<kChanged>(record.changed_ns);
  piece.text<kHost, kMaxHost>(record.host);
  piece.text<kReason, kMaxReason>(record.reason);
  piece.text<kCommand, kMaxCommand>(record.command);
  piece.seal();
}

Result<std::optional<LockRecord>> decode_lock_record(std::string_view bytes) {
  Slot slot(bytes);
  if (!HF_TRY(slot.read())) return std::nullopt;
  set_texts(slot.record, slot.texts);
  return std::move(slot.record);
}

Result<NewestRecord> newest_record(std::string_view slot_a, std::string_view slot_b) {
  Slot a(slot_a);
  Slot b(slot_b);
  const Result<bool> read_a = a.read();
  const Result<bool> read_b = b.read();
  if (is_newer_version(read_a)) return fail(read_a.error());
  if (is_newer_version(read_b)) return fail(read_b.error());
  if (!is_valid(read_a) && !is_valid(read_b)) {
    return fail(no_valid_record("neither of its two slots is whole; they were left as they are"));
  }
  // Each write raises seq, so this is no crash: somebody else wrote here.
  if (is_valid(read_a) && is_valid(read_b) && a.record.seq == b.record.seq && !same(a, b)) {
    return fail(no_valid_record(
        "its two slots differ and have the same number; they were left as they are"));
  }
  const bool is_b = is_valid(read_b) && (!is_valid(read_a) || b.record.seq > a.record.seq);
  Slot& newest = is_b ? b : a;
  set_texts(newest.record, newest.texts);
  return NewestRecord{.record = std::move(newest.record),
                      .slot = is_b ? 1 : 0,
                      .other_damaged = !(is_b ? read_a : read_b)};
}

}  // namespace holdfast
