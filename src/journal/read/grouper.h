// SPDX-License-Identifier: Apache-2.0
//
// Grouper: the key of a record under `by`. One group: its text. Several: each with its length in
// front, so that no text can look like two; split_key takes them apart again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/journal/journal_record.h"
#include "journal/read/filter.h"
#include "journal/read/matcher.h"

namespace holdfast::journal {

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
