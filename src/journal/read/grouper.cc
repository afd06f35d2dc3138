// SPDX-License-Identifier: Apache-2.0
#include "journal/read/grouper.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "journal/read/count.h"

namespace holdfast::journal {

bool GroupTable::insert(Slot& slot, std::uint64_t hash, std::string_view key, std::uint64_t count) {
  if (used_ == kMaxKeys || keys_.size() + key.size() > kMaxKeyBytes) return false;
  slot = {.hash = hash,
          .count_plus_one = count + 1,
          .offset = static_cast<std::uint32_t>(keys_.size()),
          .size = static_cast<std::uint32_t>(key.size())};
  keys_ += key;
  if (++used_ * 2 > slots_.size()) grow();
  return true;
}

void GroupTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.count_plus_one == 0) continue;
    std::size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].count_plus_one != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

namespace {

std::string padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  text.insert(0, digits - std::min(digits, text.size()), '0');
  return text;
}

}  // namespace

Result<GroupBy> parse_group_by(std::string_view text) {
  if (text == "day") return GroupBy{.what = GroupBy::What::kDay};
  if (text == "hour") return GroupBy{.what = GroupBy::What::kHour};
  Result<FieldPath> path = parse_field_path(text);
  if (path && path->root != FieldPath::Root::kSeq) return GroupBy{.path = *std::move(path)};
  return fail({.code = ErrorCode::kUsage,
               .op = "group by",
               .subject = std::string(text),
               .cause = "bad-group",
               .detail = "groups are type, class, writer, boot, day, hour and data.KEY"});
}

std::string day_text(std::int64_t hour) {
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::hours(hour));
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  return padded(static_cast<int>(date.year()), 4) + "-" +
         padded(static_cast<unsigned>(date.month()), 2) + "-" +
         padded(static_cast<unsigned>(date.day()), 2);
}

std::string hour_text(std::int64_t hour) {
  const std::int64_t of_day = (hour % 24 + 24) % 24;
  return day_text(hour) + "T" + padded(of_day, 2);
}

void GroupKey::part(std::string_view value) {
  if (!single_) {
    const auto size = static_cast<std::uint32_t>(value.size());
    text_.append(reinterpret_cast<const char*>(&size), sizeof size);
  }
  text_ += value;
}

std::vector<std::string> split_key(std::string_view key, std::size_t parts) {
  if (parts == 1) return {std::string(key)};
  std::vector<std::string> out;
  while (!key.empty()) {
    std::uint32_t size = 0;
    std::memcpy(&size, key.data(), sizeof size);
    out.emplace_back(key.substr(sizeof size, size));
    key.remove_prefix(sizeof size + size);
  }
  return out;
}

bool Grouper::is_only_type(const std::vector<GroupBy>& by) {
  return by.size() == 1 && by[0].what == GroupBy::What::kField &&
         by[0].path.root == FieldPath::Root::kType;
}

Result<std::string_view> Grouper::build(const RecordFields& record) {
  key_.clear();
  for (const GroupBy& by : by_) {
    if (by.what == GroupBy::What::kField) {
      if (by.path.root == FieldPath::Root::kType) {
        key_.part(record.type);
      } else if (by.path.root == FieldPath::Root::kClass) {
        key_.part(to_text(record.event_class));
      } else {
        const std::optional<std::string> value = HF_TRY(values_.value(record, by.path));
        key_.part(value ? std::string_view(*value) : kNoValue);
      }
      continue;
    }
    if (const std::int64_t hour = hour_of(record.wall_us); hour != hour_) {
      hour_ = hour;
      hour_text_ = hour_text(hour);
      day_text_ = day_text(hour);
    }
    key_.part(by.what == GroupBy::What::kDay ? day_text_ : hour_text_);
  }
  return key_.text();
}

}  // namespace holdfast::journal
