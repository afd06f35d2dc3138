// SPDX-License-Identifier: Apache-2.0
//
// Grouper: the key of a record under `by`. One group: its text. Several: each with its length in
// front, so that no text can look like two; split_key takes them apart again.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/journal/journal_record.h"
#include "journal/read/filter.h"
#include "journal/read/matcher.h"

namespace holdfast::journal {

// GroupTable: counts by key, for millions of additions to few keys: one probe of a flat table, no
// allocation for a key that is known. Bounded: at most kMaxGroups keys and kMaxKeyBytes of them.
class GroupTable {
 public:
  static constexpr std::size_t kMaxKeys = 100'000;
  static constexpr std::size_t kMaxKeyBytes = std::size_t{8} * 1024 * 1024;

  GroupTable() : slots_(kFirstSlots) {}

  // false: there are too many keys.
  bool add(std::string_view key, std::uint64_t count = 1) {
    const std::uint64_t hash = hash_of(key);
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.count_plus_one == 0) [[unlikely]]
        return insert(slot, hash, key, count);
      if (slot.hash == hash && slot.size == key.size() &&
          std::memcmp(keys_.data() + slot.offset, key.data(), key.size()) == 0) {
        slot.count_plus_one += count;
        return true;
      }
    }
  }

  // visit(std::string_view key, std::uint64_t count)
  template <typename Visit>
  void each(Visit&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.count_plus_one != 0) {
        visit(std::string_view(keys_).substr(slot.offset, slot.size), slot.count_plus_one - 1);
      }
    }
  }
  [[nodiscard]] std::size_t size() const { return used_; }

 private:
  static constexpr std::size_t kFirstSlots = 256;

  struct Slot {
    std::uint64_t hash = 0;
    std::uint64_t count_plus_one = 0;  // 0: empty
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };

  static std::uint64_t hash_of(std::string_view key) {
    constexpr std::uint64_t kOdd = 0x9e37'79b9'7f4a'7c15;
    std::uint64_t hash = key.size() * kOdd;
    const char* at = key.data();
    std::size_t left = key.size();
    for (; left >= 8; at += 8, left -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      hash = std::rotl((hash ^ word) * kOdd, 29);
    }
    std::uint64_t word = 0;
    for (; left > 0; --left) word = word << 8 | static_cast<std::uint8_t>(at[left - 1]);
    hash = (hash ^ word) * kOdd;
    return hash ^ hash >> 32;
  }

  bool insert(Slot& slot, std::uint64_t hash, std::string_view key, std::uint64_t count);
  void grow();

  std::vector<Slot> slots_;  // a power of two
  std::string keys_;
  std::size_t used_ = 0;
};

struct GroupBy {
  enum class What : std::uint8_t { kField, kDay, kHour };
  What what = What::kField;
  FieldPath path{};

  bool operator==(const GroupBy&) const = default;
};
// `type`, `class`, `writer`, `boot`, `day`, `hour`, `data.PATH`; else kUsage (`bad-group`).
Result<GroupBy> parse_group_by(std::string_view text);

inline constexpr std::int64_t kHourUs = 3'600'000'000;
// Hours since 1970, rounded down.
constexpr std::int64_t hour_of(std::int64_t wall_us) {
  return wall_us / kHourUs - (wall_us % kHourUs < 0 ? 1 : 0);
}
std::string hour_text(std::int64_t hour);  // 2026-11-15T07
std::string day_text(std::int64_t hour);   // 2026-11-15

// The values of one key, put together.
class GroupKey {
 public:
  explicit GroupKey(std::size_t parts) : single_(parts == 1) {}
  void clear() { text_.clear(); }
  void part(std::string_view value);
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  bool single_;
  std::string text_;
};
std::vector<std::string> split_key(std::string_view key, std::size_t parts);

class Grouper {
 public:
  // Both must outlive it.
  Grouper(const std::vector<GroupBy>& by, RecordFieldReader& values)
      : by_(by), values_(values), key_(by.size()), only_type_(is_only_type(by)) {}

  // The view lives until the next call.
  Result<std::string_view> key_of(const RecordFields& record) {
    if (only_type_) return record.type;
    return build(record);
  }

 private:
  static bool is_only_type(const std::vector<GroupBy>& by);
  Result<std::string_view> build(const RecordFields& record);

  const std::vector<GroupBy>& by_;
  RecordFieldReader& values_;
  GroupKey key_;
  bool only_type_;
  std::optional<std::int64_t> hour_;  // the one of the texts below
  std::string hour_text_;
  std::string day_text_;
};

}  // namespace holdfast::journal
