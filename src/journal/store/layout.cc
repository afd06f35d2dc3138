// SPDX-License-Identifier: Apache-2.0
#include "journal/store/layout.h"

#include <algorithm>
#include <charconv>

namespace holdfast::journal {
namespace {

constexpr std::string_view kSegmentPrefix = "seg-";
constexpr std::string_view kSpillPrefix = "spill-";
constexpr std::string_view kLines = ".jsonl";
constexpr std::string_view kCompressed = ".jsonl.zst";
constexpr std::size_t kSeqDigits = 16;

os::SafeName our_name(const std::string& text) {
  return os::SafeName::make(text).value();  // made of digits, hex and literals: always one
}

}  // namespace

os::SafeName segment_name(const SegmentRef& segment) {
  std::string digits = std::to_string(segment.first_seq);
  digits.insert(0, kSeqDigits - std::min(kSeqDigits, digits.size()), '0');
  return our_name(std::string(kSegmentPrefix) + digits +
                  std::string(segment.compressed ? kCompressed : kLines));
}

std::optional<SegmentRef> parse_segment_name(std::string_view name) {
  if (!name.starts_with(kSegmentPrefix)) return std::nullopt;
  name.remove_prefix(kSegmentPrefix.size());
  const bool compressed = name.ends_with(kCompressed);
  if (!compressed && !name.ends_with(kLines)) return std::nullopt;
  name.remove_suffix(compressed ? kCompressed.size() : kLines.size());
  std::uint64_t seq = 0;
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), seq);
  if (fault != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  if (name.size() < kSeqDigits || (name.size() > kSeqDigits && name.front() == '0') || seq == 0) {
    return std::nullopt;
  }
  return SegmentRef{.first_seq = seq, .compressed = compressed};
}

os::SafeName spill_name(const Id128& id) {
  return our_name(std::string(kSpillPrefix) + to_hex(id) + std::string(kLines));
}

std::optional<Id128> parse_spill_name(std::string_view name) {
  if (!name.starts_with(kSpillPrefix) || !name.ends_with(kLines)) return std::nullopt;
  name.remove_prefix(kSpillPrefix.size());
  name.remove_suffix(kLines.size());
  return parse_id128(name);
}

Result<Listing> list_journal(const os::Dir& dir) {
  Listing listing;
  HF_TRY(dir.each_entry([&](std::string_view name, os::FileType) {
    if (const auto segment = parse_segment_name(name)) listing.segments.push_back(*segment);
    if (const auto spill = parse_spill_name(name)) listing.spills.push_back(*spill);
    return os::Visit::kContinue;
  }));
  // A plain segment sorts before its compressed twin, which is a copy that was not finished with.
  std::ranges::sort(listing.segments);
  const auto twins = std::ranges::unique(listing.segments, {}, &SegmentRef::first_seq);
  listing.segments.erase(twins.begin(), twins.end());
  std::ranges::sort(listing.spills);
  return listing;
}

// The compressed one second: it is there before the plain one goes.
Result<bool> is_named(const os::Dir& dir, std::uint64_t first_seq) {
  for (const bool compressed : {false, true}) {
    if (HF_TRY(dir.info(segment_name({.first_seq = first_seq, .compressed = compressed})))) {
      return true;
    }
  }
  return false;
}

}  // namespace holdfast::journal
