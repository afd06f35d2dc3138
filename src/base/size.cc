// SPDX-License-Identifier: Apache-2.0
#include "base/size.h"

#include <array>

#include "base/decimal.h"

namespace holdfast {
namespace {

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

Result<std::uint64_t> parse_size(std::string_view text) {
  std::string_view rest = text;
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  const bool has_point = rest.starts_with('.');
  if (has_point) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  if (whole.empty() || (has_point && fraction.empty()))
    return bad_size(text, "a number is missing");
  const std::string name = lower_case(rest);
  for (const SizeUnit& unit : kSizeUnits) {
    if (unit.name != name) continue;
    const auto bytes = scale_decimal(whole, fraction, unit.bytes);
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
