// SPDX-License-Identifier: Apache-2.0
#include "journal/write/repair.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace holdfast::journal {
namespace {

// No record can stand for a blob that is gone, or take back what an anchor says.
bool can_be_explained(const Damage& damage) {
  return damage.kind != damage_kind::kBlob && damage.kind != damage_kind::kAnchor;
}

JournalRepaired as_record(const Damage& damage) {
  JournalRepaired found;
  found.kind = JournalRepaired::Kind::kDamaged;
  found.segment = damage.segment;
  found.offset = damage.offset;
  found.bytes = damage.bytes;
  if (damage.lost.last > 0) found.lost = damage.lost;
  found.says = damage.kind + (damage.says.empty() ? "" : ": " + damage.says);
  return found;
}

Result<VerifyResult> look(const os::Dir& dir) {
  return with_snapshot(dir, [](const Snapshot& snapshot) { return verify(snapshot); });
}

std::vector<Damage> unexplained(const VerifyResult& result) {
  std::vector<Damage> left;
  std::ranges::copy_if(result.damaged, std::back_inserter(left),
                       [](const Damage& damage) { return !damage.explained; });
  return left;
}

}  // namespace

Result<RepairReport> plan_repair(const os::Dir& dir) {
  const VerifyResult now = HF_TRY(look(dir));
  RepairReport report{.mended_bytes = now.unfinished_bytes};
  for (Damage& damage : unexplained(now)) {
    (can_be_explained(damage) ? report.acknowledged : report.left).push_back(std::move(damage));
  }
  return report;
}

// What is known goes on record together with the new segment, if one must be opened. That segment's
// predecessor then lacks its seal, which is what the second round puts on record.
Result<RepairReport> repair(const os::Dir& dir, Journal& journal) {
  constexpr int kRounds = 2;
  RepairReport report = HF_TRY(plan_repair(dir));
  std::vector<Damage> damaged = std::exchange(report.acknowledged, {});
  for (int round = 0; round < kRounds; ++round) {
    if (damaged.empty() && (round > 0 || report.mended_bytes == 0)) break;
    std::vector<JournalRepaired> found;
    for (const Damage& damage : damaged) found.push_back(as_record(damage));
    HF_TRY(journal.acknowledge(found));  // of nothing: it mends the end
    std::ranges::move(damaged, std::back_inserter(report.acknowledged));
    damaged = HF_TRY(plan_repair(dir)).acknowledged;
  }
  report.left = unexplained(HF_TRY(look(dir)));
  return report;
}

}  // namespace holdfast::journal
