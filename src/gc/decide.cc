// SPDX-License-Identifier: Apache-2.0
#include "gc/decide.h"

namespace holdfast::gc {
namespace {

using authority::Vouched;

constexpr std::uint64_t kEnoughToJudge = 5;

Decision keep(std::string reason) { return {.fate = Fate::kKeep, .reason = std::move(reason)}; }
Decision unknown(std::string reason) {
  return {.fate = Fate::kUnknown, .reason = std::move(reason)};
}
Decision remove(std::string reason) { return {.fate = Fate::kRemove, .reason = std::move(reason)}; }

std::optional<Decision> stays_for(const Claim& claim) {
  if (!claim.known) return unknown("claim-unknown");
  if (!claim.by.empty()) return keep(claim.by);
  return std::nullopt;
}

}  // namespace

Decision decide(const Facts& facts, Duration grace, const authority::Verdict* vouched) {
  if (facts.attached) return keep("attached");
  if (facts.run == RunNow::kGoing) return keep("runs");
  if (facts.run == RunNow::kUnknown) return unknown("run-unknown");
  if (auto claimed = stays_for(facts.claim)) return *claimed;
  if (facts.age < grace) return keep("young");
  if (facts.state == WorkspaceState::kReserved) return remove("never-made");
  if (!facts.has_authority) {
    if (facts.ended) return remove("ended");
    if (facts.ttl_passed) return remove("ttl-passed");
    return keep(facts.has_ttl ? "ttl-left" : "no-authority");
  }
  if (vouched == nullptr) return {.fate = Fate::kAsk, .reason = "not-asked"};
  switch (vouched->vouched) {
    case Vouched::kLive:
      return keep(vouched->reason);
    case Vouched::kUnknown:
      return unknown(vouched->reason);
    case Vouched::kDead:
      break;
  }
  if (facts.ended) return remove("ended");
  Decision dead = remove(facts.ttl_passed ? "ttl-passed" : vouched->reason);
  dead.by_probe_alone = !vouched->by_identity && !vouched->to_confirm;
  return dead;
}

Decision decide_run(RunNow run, const Claim& claim, Duration age, Duration grace) {
  if (run == RunNow::kGoing) return keep("runs");
  if (run != RunNow::kOver) return unknown("run-unknown");
  if (auto claimed = stays_for(claim)) return *claimed;
  if (age < grace) return keep("young");
  return remove("run-ended");
}

void Tally::count(const Facts& facts, const authority::Verdict& verdict) {
  if (verdict.vouched == Vouched::kLive) ++seen;
  const bool by_probe = !verdict.by_identity && !verdict.to_confirm;
  if (verdict.vouched == Vouched::kDead && by_probe && !facts.ended) ++gone;
}

std::string brake_of(const Tally& tally) {
  if (tally.gone == 0) return "";
  if (tally.seen == 0) return "none-seen";
  const std::uint64_t known = tally.seen + tally.gone;
  return known >= kEnoughToJudge && 2 * tally.gone > known ? "most-gone" : "";
}

}  // namespace holdfast::gc
