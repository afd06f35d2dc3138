// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_damage.h"

#include <algorithm>

#include "base/exit_code.h"
#include "format/json/json.h"
#include "journal/store/layout.h"

namespace holdfast::cli {
namespace {

// Empty for what is in no segment: a line in a file of anchors.
std::string file_of(const journal::Damage& damage) {
  if (damage.kind == journal::damage_kind::kAnchorFile) return "";
  return journal::segment_name({.first_seq = damage.segment}).str();
}

std::string count_of(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

bool is_planned(const journal::Damage& damage) { return damage.dropped; }

}  // namespace

std::string damage_line(const journal::Damage& damage) {
  std::string line = file_of(damage);
  if (!line.empty()) line += ":" + std::to_string(damage.offset) + ": ";
  line += damage.kind;
  if (damage.bytes > 0) line += ", " + count_of(damage.bytes, "byte", "bytes");
  if (!damage.says.empty()) line += ": " + damage.says;
  return line;
}

Json damage_json(const journal::Damage& damage) {
  Json lost = nullptr;
  if (damage.lost.last > 0) lost = {{"first", damage.lost.first}, {"last", damage.lost.last}};
  return {{"segment", damage.segment},     {"file", file_of(damage)}, {"offset", damage.offset},
          {"bytes", damage.bytes},         {"kind", damage.kind},     {"says", damage.says},
          {"explained", damage.explained}, {"lost", std::move(lost)}};
}

Json damage_json(std::span<const journal::Damage> damaged) {
  Json list = Json::array();
  for (const journal::Damage& damage : damaged) list.push_back(damage_json(damage));
  return list;
}

std::vector<journal::Damage> worth_telling(std::span<const journal::Damage> damaged,
                                           std::optional<std::int64_t> since_us,
                                           std::optional<std::int64_t> oldest_us) {
  std::vector<journal::Damage> told(damaged.begin(), damaged.end());
  if (since_us && oldest_us && *since_us >= *oldest_us) std::erase_if(told, is_planned);
  return told;
}

std::uint64_t tell_places(Context& context, std::span<const journal::Damage> damaged) {
  std::uint64_t unexplained = 0;
  for (const journal::Damage& damage : damaged) {
    if (is_planned(damage)) {
      context.note("older events were dropped: " + damage.says);
    } else if (damage.explained) {
      context.note("known damage: " + damage_line(damage));
    } else {
      ++unexplained;
      context.warn("damage: " + damage_line(damage));
    }
  }
  return unexplained;
}

int tell_damage(Context& context, std::span<const journal::Damage> damaged) {
  const std::uint64_t unexplained = tell_places(context, damaged);
  if (unexplained == 0) return to_int(ExitCode::kDone);
  context.report({.code = ErrorCode::kCorrupt,
                  .op = "read all of",
                  .subject = "the journal",
                  .cause = "damaged",
                  .detail = count_of(unexplained, "place is", "places are") +
                            " damaged; what could be read was; see `holdfast journal verify`"});
  return to_int(ExitCode::kCorrupt);
}

void tell_unfinished(Context& context, std::uint64_t bytes) {
  if (bytes == 0) return;
  context.note("the last " + count_of(bytes, "byte is", "bytes are") +
               " an unfinished record: a writer is at it, or died there and the next one mends it");
}

}  // namespace holdfast::cli
