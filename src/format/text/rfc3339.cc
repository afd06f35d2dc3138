// SPDX-License-Identifier: Apache-2.0
#include "format/text/rfc3339.h"

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;

// WallTime holds nanoseconds in 63 bits, which end in the middle of 2262: the last whole year
// counts.
constexpr WallTime kRfc3339First{};
constexpr WallTime kRfc3339Last = std::chrono::sys_days(std::chrono::year(2261) / 12 / 31) +
                                  std::chrono::hours(24) - milliseconds(1);

void put(std::string& text, std::size_t at, std::size_t digits, std::uint64_t value) {
  for (std::size_t i = digits; i-- > 0; value /= 10) {
    text[at + i] = static_cast<char>('0' + value % 10);
  }
}

struct Field {
  std::size_t at;
  std::size_t digits;
};
constexpr std::array kFields{Field{0, 4},  Field{5, 2},  Field{8, 2}, Field{11, 2},
                             Field{14, 2}, Field{17, 2}, Field{20, 3}};
constexpr std::string_view kShape = "0000-00-00T00:00:00.000Z";

}  // namespace

std::string format_rfc3339(WallTime time) {
  time = std::clamp(time, kRfc3339First, kRfc3339Last);
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const auto ms = static_cast<std::uint64_t>(std::chrono::floor<milliseconds>(time - day).count());
  const std::array<std::uint64_t, 7> values{static_cast<std::uint64_t>(int(date.year())),
                                            unsigned(date.month()),
                                            unsigned(date.day()),
                                            ms / 3'600'000,
                                            ms / 60'000 % 60,
                                            ms / 1000 % 60,
                                            ms % 1000};
  std::string text(kShape);
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    put(text, kFields[i].at, kFields[i].digits, values[i]);
  }
  return text;
}

std::string compact_rfc3339(WallTime time) {
  std::string text = format_rfc3339(time);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

std::optional<WallTime> parse_rfc3339(std::string_view text) {
  if (text.size() != kShape.size()) return std::nullopt;
  std::array<std::uint32_t, 7> values{};
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    for (const char c : text.substr(kFields[i].at, kFields[i].digits)) {
      if (c < '0' || c > '9') return std::nullopt;
      values[i] = values[i] * 10 + static_cast<std::uint32_t>(c - '0');
    }
  }
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(values[0])),
                                         std::chrono::month(values[1]),
                                         std::chrono::day(values[2]));
  // Within these years nanoseconds since 1970 fit into 63 bits, so the sum below cannot overflow.
  if (!date.ok() || values[0] < 1970 || values[0] > 2261) return std::nullopt;
  const WallTime time = std::chrono::sys_days(date) + std::chrono::hours(values[3]) +
                        std::chrono::minutes(values[4]) + std::chrono::seconds(values[5]) +
                        milliseconds(values[6]);
  // Written back it must be the same text: that refuses 24:00, :60 and every wrong separator.
  if (format_rfc3339(time) != text) return std::nullopt;
  return time;
}

}  // namespace holdfast
