// SPDX-License-Identifier: Apache-2.0
//
// Damage: one place of a journal that is not what a writer wrote. A reader reports every one of
// them, never skips one in silence, and goes on behind it; what it could read stands beside the
// report.
//
// `explained`: a record of the journal accounts for it, so that it is known and no alarm:
//   - lost numbers, by a journal.repaired of kind `lost` of an earlier boot that names exactly them
//     and stands directly behind the gap, or directly behind a journal.opened that does. Within one
//     boot no crash loses a record: somebody removed them, and a person has to look at that
//   - a segment without a seal (unfinished at its end, or empty), by a journal.sync_error or
//     journal.repaired that names it, second record of the next segment
//   - missing oldest segments, by a journal.retention anywhere that names the one before the oldest
//   left
//     (retention takes the oldest first, and takes earlier such records with it)
//   - anything but blobs and anchors, by a journal.repaired of kind `damaged` anywhere that covers
//   its
//     bytes; where there are none, that names exactly its offset and lost numbers
// Explained damage is still reported. A reader that sees only a part of the journal (an early stop,
// a start in the middle) may miss the explanation: `explained` is never wrongly true.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "format/journal/journal_payload.h"

namespace holdfast::journal {

namespace damage_kind {
// One line that is not a record; neighbours of the same kind are one Damage.
inline constexpr std::string_view kNotARecord = "not-a-record";
inline constexpr std::string_view kChecksum = "checksum";
inline constexpr std::string_view kTooLong = "too-long";
// The end of an older (or sealed, or compressed) segment, without its newline. At the end of the
// live segment the same bytes are no damage but `unfinished_bytes`: a writer may be in the middle.
inline constexpr std::string_view kUnfinished = "unfinished";
// The first record of a segment is no journal.opened, or does not fit the segment before it.
inline constexpr std::string_view kHeader = "header";
inline constexpr std::string_view kZeroLength = "zero-length";
// Numbers are missing, with no bytes in their place (then `lost` says which).
inline constexpr std::string_view kGap = "gap";
inline constexpr std::string_view kMissingSegment = "missing-segment";
// A number stands twice or goes back, or (verify only) a hash does not continue the one before.
inline constexpr std::string_view kChain = "chain";
// The seal contradicts its segment, something stands behind it, or there is none.
inline constexpr std::string_view kSeal = "seal";
inline constexpr std::string_view kNoSeal = "no-seal";
inline constexpr std::string_view kCompressed = "compressed";  // a .zst that cannot be unpacked
inline constexpr std::string_view kBlob = "blob";  // data kept beside the journal: gone or changed
inline constexpr std::string_view kData = "data";  // the data of a record cannot be read as JSON
inline constexpr std::string_view kAnchor =
    "anchor";  // verify only: a pinned record is not as it was
inline constexpr std::string_view kAnchorFile =
    "anchor-file";  // a line of a file of anchors is no anchor: nobody can tell what it pinned
inline constexpr std::string_view kMany = "many";  // more places than a list can hold, in one range
}  // namespace damage_kind

struct Damage {
  std::uint64_t segment = 0;  // the first seq in its name
  std::uint64_t offset = 0;   // in its text (of a compressed segment: unpacked)
  std::uint64_t bytes = 0;    // 0: a place between bytes
  std::string kind{};         // a word of damage_kind
  std::string says{};         // for people; one line, no full stop
  bool explained = false;
  bool dropped = false;  // explained, by retention
  SeqRange lost{};       // numbers that are known to be missing there; {0, 0} where none are

  bool operator==(const Damage&) const = default;
};

// By segment and offset; what is at one place stays in its order. (Not std::stable_sort: clang
// refuses what this library's one is made of.)
inline void sort_by_place(std::vector<Damage>& damaged) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::size_t>> order;
  order.reserve(damaged.size());
  for (const Damage& one : damaged) order.emplace_back(one.segment, one.offset, order.size());
  std::ranges::sort(order);
  std::vector<Damage> sorted;
  sorted.reserve(damaged.size());
  for (const auto& place : order) sorted.push_back(std::move(damaged[std::get<2>(place)]));
  damaged = std::move(sorted);
}

// Whether there is damage that nothing accounts for: what makes an answer exit with 65.
inline bool any_unexplained(std::span<const Damage> damaged) {
  return std::ranges::any_of(damaged, [](const Damage& one) { return !one.explained; });
}

// DamageLog: the damage of one segment, as it is met from front to back. Lines of the same kind
// that touch are one place; behind kMaxDamages places everything more is one range of kind `many`,
// so that a file of nothing but damage takes no more memory than any other.
inline constexpr std::size_t kMaxDamages = 1000;

// Says of `damage` that these numbers are missing there.
void note_lost(Damage& damage, SeqRange lost);
// "record 7 is missing", "records 7 to 9 are missing"
std::string are_missing(SeqRange lost);

class DamageLog {
 public:
  DamageLog() = default;
  explicit DamageLog(std::vector<Damage> known) : all_(std::move(known)) {}

  void add(Damage damage);
  // The numbers that are missing where the last damage stands.
  void last_lost(SeqRange lost) { note_lost(all_.back(), lost); }

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const std::vector<Damage>& all() const { return all_; }
  [[nodiscard]] std::vector<Damage> take() { return std::move(all_); }

 private:
  std::vector<Damage> all_;
};

}  // namespace holdfast::journal
