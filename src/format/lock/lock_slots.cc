// SPDX-License-Identifier: Apache-2.0
//
//   ReaderSlot, 256 bytes    0 head (lock_piece.h)   4 u8 binding   5 u8 yields   8 token
//                            24 identity work   96 i64 ttl   104 i64 deadline   112 i64 beat
//                            120 i64 since   128 text command, up to 64   252 crc
//   WaiterSlot, 256 bytes    0 head   4 u8 mode   8 identity process   80 i64 since
//                            88 i64 since_boot   96 text command, up to 64   252 crc
//   WaitNote, 8192 bytes     0 head   4 i32 pid   8 token   24 i64 since_boot
//                            32 text label, up to 4032   4080 text ledger, up to 4096   8188 crc
#include "format/lock/lock_ledger.h"
#include "format/lock/lock_piece.h"

namespace holdfast {
namespace {

constexpr std::size_t kMaxSlotCommand = 64;
constexpr std::size_t kMaxLabel = 4032;

namespace reader {
constexpr std::size_t kBinding = 4;
constexpr std::size_t kYields = 5;
constexpr std::size_t kToken = 8;
constexpr std::size_t kWork = 24;
constexpr std::size_t kTtl = 96;
constexpr std::size_t kDeadline = 104;
constexpr std::size_t kBeat = 112;
constexpr std::size_t kSince = 120;
constexpr std::size_t kCommand = 128;
static_assert(kWork + kIdentityBytes == kTtl);
}  // namespace reader

namespace waiter {
constexpr std::size_t kMode = 4;
constexpr std::size_t kProcess = 8;
constexpr std::size_t kSince = 80;
constexpr std::size_t kSinceBoot = 88;
constexpr std::size_t kCommand = 96;
static_assert(kProcess + kIdentityBytes == kSince);
}  // namespace waiter

namespace note_at {
constexpr std::size_t kPid = 4;
constexpr std::size_t kToken = 8;
constexpr std::size_t kSinceBoot = 24;
constexpr std::size_t kLabel = 32;
constexpr std::size_t kLedger = 4080;
static_assert(kLabel + 2 + kMaxLabel <= kLedger);
}  // namespace note_at

}  // namespace

void encode(const ReaderSlot& slot, char* out) {
  FixedWriter<kReaderBytes> piece(out);
  write_piece_head(piece, LockPiece::kReader);
  piece.choice<reader::kBinding>(slot.binding);
  piece.choice<reader::kYields>(slot.yields);
  piece.id<reader::kToken>(slot.token);
  write_identity<reader::kWork>(piece, slot.work);
  piece.number<reader::kTtl>(slot.ttl_ns);
  piece.number<reader::kDeadline>(slot.deadline_ns);
  piece.number<reader::kBeat>(slot.beat_ns);
  piece.number<reader::kSince>(slot.since_ns);
  piece.text<reader::kCommand, kMaxSlotCommand>(slot.command);
  piece.seal();
}

Result<std::optional<ReaderSlot>> decode_reader_slot(std::string_view bytes) {
  FixedReader<kReaderBytes> in(bytes);
  if (!HF_TRY(open_piece(in, LockPiece::kReader))) return std::nullopt;
  ReaderSlot slot;
  in.choice<reader::kBinding>(slot.binding, LockBinding::kTtl);
  in.choice<reader::kYields>(slot.yields, LockYields::kKill);
  in.id<reader::kToken>(slot.token);
  read_identity<reader::kWork>(in, slot.work);
  in.number<reader::kTtl>(slot.ttl_ns);
  in.number<reader::kDeadline>(slot.deadline_ns);
  in.number<reader::kBeat>(slot.beat_ns);
  in.number<reader::kSince>(slot.since_ns);
  slot.command = in.text<reader::kCommand, kMaxSlotCommand>();
  if (!in.ok()) return fail(bad_field(LockPiece::kReader));
  return slot;
}

void encode(const WaiterSlot& slot, char* out) {
  FixedWriter<kWaiterBytes> piece(out);
  write_piece_head(piece, LockPiece::kWaiter);
  piece.choice<waiter::kMode>(slot.mode);
  write_identity<waiter::kProcess>(piece, slot.process);
  piece.number<waiter::kSince>(slot.since_ns);
  piece.number<waiter::kSinceBoot>(slot.since_boot_ns);
  piece.text<waiter::kCommand, kMaxSlotCommand>(slot.command);
  piece.seal();
}

Result<std::optional<WaiterSlot>> decode_waiter_slot(std::string_view bytes) {
  FixedReader<kWaiterBytes> in(bytes);
  if (!HF_TRY(open_piece(in, LockPiece::kWaiter))) return std::nullopt;
  WaiterSlot slot;
  in.choice<waiter::kMode>(slot.mode, LockMode::kShared);
  read_identity<waiter::kProcess>(in, slot.process);
  in.number<waiter::kSince>(slot.since_ns);
  in.number<waiter::kSinceBoot>(slot.since_boot_ns);
  slot.command = in.text<waiter::kCommand, kMaxSlotCommand>();
  if (!in.ok()) return fail(bad_field(LockPiece::kWaiter));
  return slot;
}

void encode(const WaitNote& note, char* out) {
  // A path that is cut would name another ledger. All zeros: no note.
  FixedWriter<kNoteBytes> piece(out);
  if (note.ledger.size() > kMaxNotePath) return;
  write_piece_head(piece, LockPiece::kNote);
  piece.number<note_at::kPid>(note.pid);
  piece.id<note_at::kToken>(note.token);
  piece.number<note_at::kSinceBoot>(note.since_boot_ns);
  piece.text<note_at::kLabel, kMaxLabel>(note.label);
  piece.text<note_at::kLedger, kMaxNotePath>(note.ledger);
  piece.seal();
}

Result<std::optional<WaitNote>> decode_wait_note(std::string_view bytes) {
  FixedReader<kNoteBytes> in(bytes);
  if (!HF_TRY(open_piece(in, LockPiece::kNote))) return std::nullopt;
  WaitNote note;
  in.number<note_at::kPid>(note.pid);
  in.require(note.pid >= 0);
  in.id<note_at::kToken>(note.token);
  in.number<note_at::kSinceBoot>(note.since_boot_ns);
  note.label = in.text<note_at::kLabel, kMaxLabel>();
  note.ledger = in.text<note_at::kLedger, kMaxNotePath>();
  if (!in.ok()) return fail(bad_field(LockPiece::kNote));
  return note;
}

}  // namespace holdfast
