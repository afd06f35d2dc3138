// SPDX-License-Identifier: Apache-2.0
#include "base/size.h"

#include <array>

#include "base/decimal.h"

namespace holdfast {
namespace {

struct Unit {
  std::string_view name;  // lower case
  std::int64_t bytes;
};

constexpr std::int64_t kKi = 1024;
constexpr std::array kUnits{
    Unit{"", 1},
    Unit{"b", 1},
    Unit{"k", kKi},
    Unit{"kib", kKi},
    Unit{"kb", 1000},
    Unit{"m", kKi* kKi},
    Unit{"mib", kKi* kKi},
    Unit{"mb", 1'000'000},
    Unit{"g", kKi* kKi* kKi},
    Unit{"gib", kKi* kKi* kKi},
    Unit{"gb", 1'000'000'000},
    Unit{"t", kKi* kKi* kKi* kKi},
    Unit{"tib", kKi* kKi* kKi* kKi},
    Unit{"tb", 1'000'000'000'000},
};

std::unexpected<Error> bad(std::string_view text, std::string_view why) {
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

Result<std::uint64_t> parse_size(std::string_view text) {
  std::string_view rest = text;
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  const bool has_point = rest.starts_with('.');
  if (has_point) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  if (whole.empty() || (has_point && fraction.empty())) return bad(text, "a number is missing");
  const std::string name = lower_case(rest);
  for (const Unit& unit : kUnits) {
    if (unit.name != name) continue;
    const auto bytes = scale_decimal(whole, fraction, unit.bytes);
    if (bytes) return static_cast<std::uint64_t>(*bytes);
    return bad(text, bytes.error() == DecimalFault::kTooFine ? "it is not a whole number of bytes"
                                                             : "it is too large");
  }
  return bad(text, "the unit is not known");
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
