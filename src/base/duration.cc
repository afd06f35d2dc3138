// SPDX-License-Identifier: Apache-2.0
#include "base/duration.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/decimal.h"

namespace holdfast {
namespace {

struct DurationUnit {
  std::string_view name;
  std::int64_t ns;
};

constexpr std::array kDurationUnits{
    // in falling order
    DurationUnit{"d", 86'400'000'000'000}, DurationUnit{"h", 3'600'000'000'000},
    DurationUnit{"m", 60'000'000'000},     DurationUnit{"s", 1'000'000'000},
    DurationUnit{"ms", 1'000'000},
};
constexpr const DurationUnit& kMinute = kDurationUnits[2];
constexpr const DurationUnit& kSecond = kDurationUnits[3];
constexpr const DurationUnit& kMillisecond = kDurationUnits[4];

std::unexpected<Error> bad_duration(std::string_view text, std::string_view why) {
  return fail(
      {.code = ErrorCode::kUsage,
       .op = "read the duration",
       .subject = "'" + std::string(text) + "'",
       .cause = "bad-duration",
       .detail = std::string(why) + "; write 500ms, 5s, 2m, 1h, 7d, 1h30m or bare seconds"});
}

// The unit is everything up to the next digit, so "ms" is never read as "m".
std::string_view take_unit_name(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("0123456789"), text.size());
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(end);
  return name;
}

std::string format_below_a_minute(std::int64_t ns) {
  if (ns == 0) return "0s";
  if (ns < kMillisecond.ns) return "<1ms";
  if (ns < kSecond.ns) return std::to_string(ns / kMillisecond.ns) + "ms";
  std::string text = std::to_string(ns / kSecond.ns);
  std::string decimals = std::to_string(1000 + ns % kSecond.ns / kMillisecond.ns).substr(1);
  while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
  if (!decimals.empty()) text += "." + decimals;
  return text + "s";
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  if (text.empty()) return bad_duration(text, "it is empty");
  std::string_view rest = text;
  std::int64_t total = 0;
  const DurationUnit* previous = nullptr;
  while (!rest.empty()) {
    const std::string_view whole = take_digits(rest);
    std::string_view fraction;
    const bool has_point = rest.starts_with('.');
    if (has_point) {
      rest.remove_prefix(1);
      fraction = take_digits(rest);
    }
    if (whole.empty() || (has_point && fraction.empty()))
      return bad_duration(text, "a number is missing");
    const std::string_view name = take_unit_name(rest);
    const bool bare = name.empty() && previous == nullptr;
    const DurationUnit* unit =
        bare ? &kSecond
             : std::find_if(kDurationUnits.begin(), kDurationUnits.end(),
                            [&](const DurationUnit& u) { return u.name == name; });
    if (unit == kDurationUnits.end())
      return bad_duration(text, "the unit is not one of ms, s, m, h, d");
    if (previous != nullptr && unit <= previous) {
      return bad_duration(text, "the units are not in falling order");
    }
    const auto part = scale_decimal(whole, fraction, unit->ns);
    if (!part && part.error() == DecimalFault::kTooFine) {
      return bad_duration(text, "it is finer than a nanosecond");
    }
    if (!part || __builtin_add_overflow(total, *part, &total))
      return bad_duration(text, "it is too long");
    previous = unit;
  }
  return Duration(total);
}

std::string format_duration(Duration duration) {
  const std::int64_t ns = duration.count();
  if (ns < 0)
    return "-" + format_duration(duration == Duration::min() ? Duration::max() : -duration);
  if (ns < kMinute.ns) return format_below_a_minute(ns);
  const DurationUnit* unit = std::find_if(kDurationUnits.begin(), kDurationUnits.end(),
                                          [&](const DurationUnit& u) { return ns >= u.ns; });
  const DurationUnit* next = unit + 1;  // exists: the unit is a minute or longer
  std::string text = std::to_string(ns / unit->ns) + std::string(unit->name);
  const std::int64_t count = ns % unit->ns / next->ns;
  if (count > 0) text += std::to_string(count) + std::string(next->name);
  return text;
}

}  // namespace holdfast
