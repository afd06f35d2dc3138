// SPDX-License-Identifier: Apache-2.0
//
// The slots of `journal/state`, the notes that writers leave for each other:
//
//   offset 0    HeadNote  where the journal ends; rewritten at every append, under the lock
//   offset 256  SyncNote  how far it is on stable storage; rewritten by whoever synced
//   offset 512  DropNote  what a full disk has cost; rewritten under the journal's lock
//   offset 768  one byte  '1' where a spill file waits to be merged (kSpillFlag)
//   offset 1024 PoisonNote  the last segment whose sync failed
//
// Each slot is a fixed 256-byte ASCII line: compact JSON, a CRC-32C as its last key, spaces, '\n':
//
//   {"v":1,"boot":"<32 hex>","segment":7,…,"c":"<8 hex>"}                                      \n
//
// `c` is of every byte before `,"c":`. What is not exactly such a line decodes to nothing. The
// notes are never synced: HeadNote and SyncNote speak for the boot they name, and a lost note costs
// only what it would have told (the segments are the truth). The file is kStateBytes long from its
// birth, so that rewriting a slot needs no new space on a full disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/id128.h"

namespace holdfast {

inline constexpr std::size_t kStateSlotBytes = 256;
inline constexpr std::size_t kHeadSlot = 0;
inline constexpr std::size_t kSyncSlot = 256;
inline constexpr std::size_t kDropSlot = 512;
inline constexpr std::size_t kSpillFlag = 768;
inline constexpr std::size_t kPoisonSlot = 1024;
inline constexpr std::size_t kStateBytes = 4096;

struct HeadNote {
  Id128 boot;
  std::uint64_t segment = 0;  // first seq of the newest segment
  std::uint64_t size = 0;     // its length
  std::uint64_t seq = 0;      // of its last record
  Digest head;                // of its last record
  bool operator==(const HeadNote&) const = default;
};

struct SyncNote {
  Id128 boot;
  std::uint64_t segment = 0;
  std::uint64_t size = 0;  // this much of the segment is on stable storage,
  std::uint64_t seq = 0;   // which is up to this record
  bool operator==(const SyncNote&) const = default;
};

// A sync of this segment failed. Written at once by whoever met it, without the journal's lock, so
// that nobody takes a later sync for one that covers what the kernel has dropped.
struct PoisonNote {
  Id128 boot;
  std::uint64_t segment = 0;
  bool operator==(const PoisonNote&) const = default;
};

struct DropNote {
  bool full = false;  // the reserve was given up
  std::uint64_t dropped_trace = 0;
  std::uint64_t dropped_event = 0;
  std::int64_t since_us = 0;       // wall time
  std::uint64_t reported_seq = 0;  // the record that reports all this, once it is there
  bool operator==(const DropNote&) const = default;
};

// Each returns exactly kStateSlotBytes bytes.
std::string encode_note(const HeadNote& note);
std::string encode_note(const SyncNote& note);
std::string encode_note(const DropNote& note);
std::string encode_note(const PoisonNote& note);

// Also nothing where the numbers cannot be: what is noted is believed.
std::optional<HeadNote> decode_head_note(std::string_view slot);
std::optional<SyncNote> decode_sync_note(std::string_view slot);
std::optional<DropNote> decode_drop_note(std::string_view slot);
std::optional<PoisonNote> decode_poison_note(std::string_view slot);

}  // namespace holdfast
