// SPDX-License-Identifier: Apache-2.0
#include "os/machine/local_time.h"

#include <ctime>

namespace holdfast::os {
namespace {

constexpr int kFirstYear = 1900;  // of struct tm

}  // namespace

std::optional<WallTime> from_local(const LocalTime& time) {
  std::tm fields{};
  fields.tm_year = time.year - kFirstYear;
  fields.tm_mon = time.month - 1;
  fields.tm_mday = time.day;
  fields.tm_hour = time.hour;
  fields.tm_min = time.minute;
  fields.tm_sec = time.second;
  fields.tm_isdst = -1;  // the zone says
  fields.tm_wday = -1;   // set where it worked: -1 is also a time
  const std::time_t seconds = std::mktime(&fields);
  if (fields.tm_wday == -1) return std::nullopt;
  return WallTime(std::chrono::seconds(seconds));
}

std::optional<LocalTime> to_local(WallTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
  const auto value = static_cast<std::time_t>(seconds);
  const std::tm* const fields = std::localtime(&value);
  if (fields == nullptr) return std::nullopt;
  return LocalTime{.year = fields->tm_year + kFirstYear,
                   .month = fields->tm_mon + 1,
                   .day = fields->tm_mday,
                   .hour = fields->tm_hour,
                   .minute = fields->tm_min,
                   .second = fields->tm_sec};
}

}  // namespace holdfast::os
