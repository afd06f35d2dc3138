// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <expected>
#include <optional>

namespace holdfast {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kMaxFractionDigits = 18;  // 10^18 × the largest unit still fits into 128 bits

bool is_digit(char c) { return c >= '0' && c <= '9'; }

enum class DecimalFault : std::uint8_t {
  kTooLarge,  // does not fit into 63 bits
  kTooFine,   // not a whole number
};

struct TypedNumber {
  std::string_view whole{};  // digits, as in `fraction`
  std::string_view fraction{};
};

// `whole.fraction × unit` in exact integers. No floating point: 0.1 s is 100 000 000 ns, not a
// nanosecond less.
std::expected<std::int64_t, DecimalFault> scale(TypedNumber decimal, std::int64_t unit) {
  std::int64_t value = 0;
  for (const char c : decimal.whole) {
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, c - '0', &value)) {
      return std::unexpected(DecimalFault::kTooLarge);
    }
  }
  if (__builtin_mul_overflow(value, unit, &value)) return std::unexpected(DecimalFault::kTooLarge);

  std::string_view fraction = decimal.fraction;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (fraction.size() > kMaxFractionDigits) return std::unexpected(DecimalFault::kTooFine);
  Wide numerator = 0;
  Wide denominator = 1;
  for (const char c : fraction) {
    numerator = numerator * 10 + static_cast<unsigned>(c - '0');
    denominator *= 10;
  }
  const Wide scaled = numerator * static_cast<Wide>(unit);
  if (scaled % denominator != 0) return std::unexpected(DecimalFault::kTooFine);
  if (__builtin_add_overflow(value, static_cast<std::int64_t>(scaled / denominator), &value)) {
    return std::unexpected(DecimalFault::kTooLarge);
  }
  return value;
}

// Cuts the leading digits off `text` and returns them.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

// Cuts a number off. nullopt: digits are missing before the point or behind it.
std::optional<TypedNumber> take_decimal(std::string_view& text) {
  TypedNumber decimal{.whole = take_digits(text)};
  if (decimal.whole.empty()) return std::nullopt;
  if (!text.starts_with('.')) return decimal;
  text.remove_prefix(1);
  decimal.fraction = take_digits(text);
  if (decimal.fraction.empty()) return std::nullopt;
  return decimal;
}

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

struct SizeUnit {
  std::string_view name;  // lower case
  std::int64_t bytes;
};

constexpr std::int64_t kKi = 1024;
constexpr std::array kSizeUnits{
    SizeUnit{"", 1},
    SizeUnit{"b", 1},
    SizeUnit{"k", kKi},
    SizeUnit{"kib", kKi},
    SizeUnit{"kb", 1000},
    SizeUnit{"m", kKi* kKi},
    SizeUnit{"mib", kKi* kKi},
    SizeUnit{"mb", 1'000'000},
    SizeUnit{"g", kKi* kKi* kKi},
    SizeUnit{"gib", kKi* kKi* kKi},
    SizeUnit{"gb", 1'000'000'000},
    SizeUnit{"t", kKi* kKi* kKi* kKi},
    SizeUnit{"tib", kKi* kKi* kKi* kKi},
    SizeUnit{"tb", 1'000'000'000'000},
};

std::unexpected<Error> bad_size(std::string_view text, std::string_view why) {
  return fail({.code = ErrorCode::kUsage,
               .op = "read the size",
               .subject = "'" + std::string(text) + "'",
               .cause = "bad-size",
               .detail = std::string(why) + "; write 4096, 64KiB, 10M, 1.5GiB or 2GB"});
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  if (text.empty()) return bad_duration(text, "it is empty");
  std::string_view rest = text;
  std::int64_t total = 0;
  const DurationUnit* previous = nullptr;
  while (!rest.empty()) {
    const auto number = take_decimal(rest);
    if (!number) return bad_duration(text, "a number is missing");
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
    const auto part = scale(*number, unit->ns);
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

Result<std::uint64_t> parse_size(std::string_view text) {
  std::string_view rest = text;
  const auto number = take_decimal(rest);
  if (!number) return bad_size(text, "a number is missing");
  const std::string name = lower_case(rest);
  for (const SizeUnit& unit : kSizeUnits) {
    if (unit.name != name) continue;
    const auto bytes = scale(*number, unit.bytes);
    if (bytes) return static_cast<std::uint64_t>(*bytes);
    return bad_size(text, bytes.error() == DecimalFault::kTooFine
                              ? "it is not a whole number of bytes"
                              : "it is too large");
  }
  return bad_size(text, "the unit is not known");
}

std::string format_size(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 7> kNames{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t power = 0;
  std::uint64_t unit = 1;
  while (bytes / unit >= kKi) {
    unit *= kKi;
    ++power;
  }
  std::string text = std::to_string(bytes / unit);
  // bytes % unit stays below 2^60, so the product fits.
  const std::uint64_t tenth = bytes % unit * 10 / unit;
  if (tenth > 0) text += "." + std::to_string(tenth);
  return text + std::string(kNames[power]);
}

}  // namespace holdfast
