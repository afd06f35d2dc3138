// SPDX-License-Identifier: Apache-2.0
#include "cli/long_query.h"

#include <algorithm>
#include <cstdint>

#include "journal/snapshot.h"

namespace holdfast::cli {
namespace {

// Below this, starting another program costs more than it saves.
constexpr std::uint64_t kLongJournal = std::uint64_t{8} << 20;

bool must_parse(const journal::Filter& filter, std::span<const std::string> by) {
  return std::ranges::any_of(filter.where,
                             [](const journal::Where& where) {
                               return where.path.root == journal::FieldPath::Root::kData;
                             }) ||
         std::ranges::any_of(by,
                             [](const std::string& field) { return field.starts_with("data"); });
}

}  // namespace

Result<> hand_over_long_query(Context& context, const os::Dir& journal,
                              const journal::Filter& filter, std::span<const std::string> by) {
  if (context.field_readers() != journal::make_json_field_reader || !must_parse(filter, by))
    return {};
  if (HF_TRY(journal::Snapshot::open(journal)).bytes() < kLongJournal) return {};
  return context.hand_over("holdfast-journal");
}

}  // namespace holdfast::cli
