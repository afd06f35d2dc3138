// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a lock's ledger.
//
//   offset 0      header   64 bytes: magic "hfledger", u32 version, zeros, crc
//   offset 64     moved    u32, a futex word; no checksum, its value means nothing
//   offset 512    seen     256 bytes, a ForeignSeen
//   offset 1024   slot A   1024 bytes, a LockRecord
//   offset 2048   slot B   the same; the valid one with the higher seq counts
//   offset 3072   mark A   64 bytes, a FenceMark
//   offset 3584   mark B   the same
//   offset 4096   readers  64 slots of 256 bytes
//   offset 20480  waiters  64 slots of 256 bytes
//   offset 36864  note     8192 bytes, a WaitNote
//
// The first page is there from birth, the rest when first used: what lies behind the end is empty.
// Integers are little-endian at fixed places; texts have a u16 length and are cut to what fits, at
// a character of UTF-8. Each piece ends with the CRC-32C of its bytes before. Unused bytes are
// zero, and a piece whose unused bytes are not zero is still valid: a later version may use them.
//
// Decoding has three answers: the record; nothing (all zeros: never written); an Error, kCorrupt
// (`bad-checksum`, `bad-field`) or kCannotTell (`newer-version`), format_version.h. A piece that is
// damaged is never taken for an empty one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "format/session/process_identity.h"

namespace holdfast {

inline constexpr std::int64_t kLedgerVersion = 1;

inline constexpr std::size_t kLedgerHeaderBytes = 64;
inline constexpr std::uint64_t kMovedOffset = 64;
inline constexpr std::uint64_t kForeignSeenOffset = 512;
inline constexpr std::size_t kForeignSeenBytes = 256;
inline constexpr std::uint64_t kRecordOffset = 1024;  // slot A; slot B follows
inline constexpr std::size_t kRecordBytes = 1024;
inline constexpr std::uint64_t kMarkOffset = 3072;  // mark A; mark B lies kMarkStride behind it
inline constexpr std::size_t kMarkBytes = 64;
inline constexpr std::size_t kMarkStride = 512;
inline constexpr std::size_t kLedgerPage = 4096;  // all of the above
inline constexpr std::size_t kReaderSlots = 64;
inline constexpr std::uint64_t kReaderOffset = 4096;
inline constexpr std::size_t kReaderBytes = 256;
inline constexpr std::size_t kWaiterSlots = 64;
inline constexpr std::uint64_t kWaiterOffset = 20480;
inline constexpr std::size_t kWaiterBytes = 256;
inline constexpr std::uint64_t kNoteOffset = 36864;
inline constexpr std::size_t kNoteBytes = 8192;

// Longest texts, in bytes; longer ones are cut.
inline constexpr std::size_t kMaxHost = 64;
inline constexpr std::size_t kMaxReason = 160;
inline constexpr std::size_t kMaxCommand = 240;

enum class LockState : std::uint8_t { kFree = 0, kHeld = 1, kRetired = 2 };
enum class LockMode : std::uint8_t { kExclusive = 0, kShared = 1 };
enum class LockBinding : std::uint8_t { kExec = 0, kLib = 1, kOwner = 2, kTtl = 3 };
// The most that a holder yields once its lease has run out.
enum class LockYields : std::uint8_t { kWait = 0, kTake = 1, kKill = 2 };
// Why the record is as it is.
enum class LockCause : std::uint8_t {
  kCreated = 0,
  kFresh = 1,     // granted: it was free
  kDead = 2,      // granted: the holder was proven dead
  kRebooted = 3,  // granted: the holder was of an earlier boot
  kExpired = 4,   // granted: the lease had run out
  kReplaced = 5,  // granted: a held sidecar was replaced
  kReleased = 6,  // free: by its holder or with its token
  kBroken = 7,    // free: by order
  kRetiredIdle = 8,
};

std::string_view to_text(LockMode mode);        // "exclusive", "shared"
std::string_view to_text(LockBinding binding);  // "exec", "lib", "owner", "ttl"
std::string_view to_text(LockYields yields);    // "wait", "take", "kill"
std::string_view to_text(LockCause cause);  // "created", "fresh", "dead", … "released", "broken"

struct LockRecord {
  std::uint64_t seq = 0;  // rises with every write
  LockState state = LockState::kFree;
  LockMode mode = LockMode::kExclusive;
  LockBinding binding = LockBinding::kLib;
  LockYields yields = LockYields::kWait;
  LockCause cause = LockCause::kCreated;
  std::uint64_t epoch = 0;
  std::uint64_t generation = 0;  // the fence of the last grant
  Id128 token;                   // zeros where free, or shared
  ProcessIdentity work;          // what the lock is held for
  ProcessIdentity keeper;        // who holds life: wrapper, keeper, the process itself
  std::int64_t ttl_ns = 0;       // 0: no lease
  std::int64_t deadline_ns = 0;  // boot clock, in the time namespace of `work`; 0: none
  std::int64_t beat_ns = 0;      // boot clock of the last renewal
  std::int64_t progress_ns = 0;  // boot clock of the last `renew --progress`; 0: none
  std::int64_t since_ns = 0;     // wall clock of the grant
  std::int64_t changed_ns = 0;   // wall clock of this write
  std::string host;
  std::string reason;
  std::string command;

  bool operator==(const LockRecord&) const = default;
};

struct FenceMark {
  std::uint64_t seq = 0;
  std::uint64_t mark = 0;  // no grant has a generation above it
  bool operator==(const FenceMark&) const = default;
};

// One reader of a shared lock. Used: token is not all zeros.
struct ReaderSlot {
  Id128 token;
  LockBinding binding = LockBinding::kLib;
  LockYields yields = LockYields::kWait;
  ProcessIdentity work;
  std::int64_t ttl_ns = 0;
  std::int64_t deadline_ns = 0;
  std::int64_t beat_ns = 0;
  std::int64_t since_ns = 0;
  std::string command;  // at most 64 bytes here
  bool operator==(const ReaderSlot&) const = default;
};

struct WaiterSlot {
  LockMode mode = LockMode::kExclusive;
  ProcessIdentity process;
  std::int64_t since_ns = 0;       // wall clock
  std::int64_t since_boot_ns = 0;  // boot clock: who is younger
  std::string command;             // at most 64 bytes here
  bool operator==(const WaiterSlot&) const = default;
};

// "The work under `token` waits for `ledger`", kept in the ledger of the lock that `token` holds.
struct WaitNote {
  Id128 token;
  std::int64_t since_boot_ns = 0;
  std::int32_t pid = 0;
  std::string label;   // of the lock that is waited for
  std::string ledger;  // its absolute path; a longer one than fits makes no note
  bool operator==(const WaitNote&) const = default;
};
inline constexpr std::size_t kMaxNotePath = 4096;

// Since when the same process has been seen to hold the sidecar without a record.
struct ForeignSeen {
  ProcessIdentity holder;
  std::int64_t first_seen_boot_ns = 0;  // boot clock, in the boot and time namespace of `holder`
  std::int64_t last_seen_boot_ns = 0;
  std::uint64_t generation = 0;  // of the lock then: a grant in between means that it had let go
  bool operator==(const ForeignSeen&) const = default;
};

// Exactly as many bytes as the piece has.
std::string encode_ledger_header();
Result<> check_ledger_header(std::string_view bytes, std::string_view subject);

// Into a caller's buffer of exactly the piece's size: the hot path allocates nothing.
void encode(const LockRecord& record, char* out);
void encode(const FenceMark& mark, char* out);
void encode(const ReaderSlot& slot, char* out);
void encode(const WaiterSlot& slot, char* out);
void encode(const WaitNote& note, char* out);
void encode(const ForeignSeen& seen, char* out);

// `bytes` may be shorter than the piece where the file ends there: what is missing is zeros.
Result<std::optional<LockRecord>> decode_lock_record(std::string_view bytes);
Result<std::optional<FenceMark>> decode_fence_mark(std::string_view bytes);
Result<std::optional<ReaderSlot>> decode_reader_slot(std::string_view bytes);
Result<std::optional<WaiterSlot>> decode_waiter_slot(std::string_view bytes);
Result<std::optional<WaitNote>> decode_wait_note(std::string_view bytes);
Result<std::optional<ForeignSeen>> decode_foreign_seen(std::string_view bytes);

// The newest of two slots, and whether the other one is damaged (it may be the one that a crash
// tore, which is no harm). Both damaged or empty, or different ones with the same seq: kCorrupt,
// `no-valid-record`. One of a newer version: kCannotTell, whatever the other says.
struct NewestRecord {
  LockRecord record;
  int slot = 0;  // 0 or 1: where it lies; the next write goes to the other
  bool other_damaged = false;
};
Result<NewestRecord> newest_record(std::string_view slot_a, std::string_view slot_b);
// The highest mark of the two; 0 where none is valid.
std::uint64_t highest_mark(std::string_view mark_a, std::string_view mark_b);

}  // namespace holdfast
