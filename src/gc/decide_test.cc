// SPDX-License-Identifier: Apache-2.0
#include "gc/decide.h"

#include <gtest/gtest.h>

#include <vector>

namespace holdfast::gc {
namespace {

using authority::Verdict;
using authority::Vouched;

constexpr Duration kMinute = std::chrono::minutes(1);
constexpr Duration kTestGrace = std::chrono::minutes(5);

const Verdict kLive{.vouched = Vouched::kLive, .reason = "listed"};
const Verdict kNotListed{.vouched = Vouched::kDead, .reason = "not-listed"};
const Verdict kProven{.vouched = Vouched::kDead, .reason = "no-such-process", .by_identity = true};
const Verdict kOther{.vouched = Vouched::kUnknown, .reason = "other-daemon"};

Facts old() { return {.age = 10 * kMinute}; }
Facts with(Facts facts, const auto& change) {
  change(facts);
  return facts;
}

struct Row {
  const char* what;
  Facts facts;
  const Verdict* vouched;
  Fate fate;
  const char* reason;
  bool by_probe = false;
};

TEST(Decide, TheTable) {
  const auto attached = [](Facts& f) { f.attached = true; };
  const auto vouched_for = [](Facts& f) { f.has_authority = true; };
  const Facts asked = with(old(), vouched_for);
  const Facts ended = with(old(), [](Facts& f) { f.ended = true; });
  const Facts passed = with(old(), [](Facts& f) { f.ttl_passed = true; });
  const Facts reserved = with(old(), [](Facts& f) { f.state = WorkspaceState::kReserved; });
  const auto young = [](Facts f) {
    f.age = 4 * kMinute;
    return f;
  };
  const std::vector<Row> rows{
      {"nobody vouches", old(), nullptr, Fate::kKeep, "no-authority"},
      {"attached", with(ended, attached), nullptr, Fate::kKeep, "attached"},
      {"attached, not listed", with(asked, attached), &kNotListed, Fate::kKeep, "attached"},
      {"attached while made", with(reserved, attached), nullptr, Fate::kKeep, "attached"},
      {"young and ended", young(ended), nullptr, Fate::kKeep, "young"},
      {"young and not listed", young(asked), &kNotListed, Fate::kKeep, "young"},
      {"young and being made", young(reserved), nullptr, Fate::kKeep, "young"},
      {"a run goes on", with(ended, [](Facts& f) { f.run = RunNow::kGoing; }), nullptr, Fate::kKeep,
       "runs"},
      {"a run cannot be judged", with(ended, [](Facts& f) { f.run = RunNow::kUnknown; }), nullptr,
       Fate::kUnknown, "run-unknown"},
      {"a run is over", with(ended, [](Facts& f) { f.run = RunNow::kOver; }), nullptr,
       Fate::kRemove, "ended"},
      {"never made", reserved, nullptr, Fate::kRemove, "never-made"},
      {"ended", ended, nullptr, Fate::kRemove, "ended"},
      {"ttl passed", passed, nullptr, Fate::kRemove, "ttl-passed"},
      {"to be asked", asked, nullptr, Fate::kAsk, "not-asked"},
      {"ended, to be asked", with(ended, vouched_for), nullptr, Fate::kAsk, "not-asked"},
      {"listed", asked, &kLive, Fate::kKeep, "listed"},
      {"ended and listed", with(ended, vouched_for), &kLive, Fate::kKeep, "listed"},
      {"ttl passed and listed", with(passed, vouched_for), &kLive, Fate::kKeep, "listed"},
      {"cannot tell", asked, &kOther, Fate::kUnknown, "other-daemon"},
      {"ended, cannot tell", with(ended, vouched_for), &kOther, Fate::kUnknown, "other-daemon"},
      {"not listed", asked, &kNotListed, Fate::kRemove, "not-listed", true},
      {"proven dead", asked, &kProven, Fate::kRemove, "no-such-process"},
      {"ended, not listed", with(ended, vouched_for), &kNotListed, Fate::kRemove, "ended"},
      {"ttl passed, not listed", with(passed, vouched_for), &kNotListed, Fate::kRemove,
       "ttl-passed", true},
      {"ttl passed, proven dead", with(passed, vouched_for), &kProven, Fate::kRemove, "ttl-passed"},
  };
  for (const Row& row : rows) {
    const Decision decision = decide(row.facts, kTestGrace, row.vouched);
    EXPECT_EQ(decision.fate, row.fate) << row.what;
    EXPECT_EQ(decision.reason, row.reason) << row.what;
    EXPECT_EQ(decision.by_probe_alone, row.by_probe) << row.what;
  }
}

TEST(Decide, AgeEqualToTheGraceIsOldEnough) {
  Facts facts{.ended = true, .age = kTestGrace};
  EXPECT_EQ(decide(facts, kTestGrace, nullptr).fate, Fate::kRemove);
  facts.age -= Duration(1);
  EXPECT_EQ(decide(facts, kTestGrace, nullptr).fate, Fate::kKeep);
}

TEST(Decide, ARunAloneGoesOnlyWhenItIsOverAndOld) {
  EXPECT_EQ(decide_run(RunNow::kOver, {}, 6 * kMinute, kTestGrace).reason, "run-ended");
  EXPECT_EQ(decide_run(RunNow::kOver, {}, 4 * kMinute, kTestGrace).reason, "young");
  EXPECT_EQ(decide_run(RunNow::kGoing, {}, 6 * kMinute, kTestGrace).reason, "runs");
  EXPECT_EQ(decide_run(RunNow::kUnknown, {}, 6 * kMinute, kTestGrace).fate, Fate::kUnknown);
  EXPECT_EQ(decide_run(RunNow::kOver, {.by = "series"}, 6 * kMinute, kTestGrace).reason, "series");
  EXPECT_EQ(decide_run(RunNow::kOver, {.known = false}, 6 * kMinute, kTestGrace).fate,
            Fate::kUnknown);
}

// A wrong daemon knows none of them, whatever else keeps some: attached and young ones tell of it.
TEST(Brake, CountsAllThatTheAuthorityDoesNotKnowButThoseThatWereEnded) {
  const auto vouched_for = [](Facts& f) { f.has_authority = true; };
  const Facts asked = with(old(), vouched_for);
  const auto gone = [](const Facts& facts, const Verdict& verdict) {
    Tally tally;
    tally.count(facts, verdict);
    return std::pair(tally.seen, tally.gone);
  };
  using Sum = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(gone(asked, kNotListed), Sum(0, 1));
  EXPECT_EQ(gone(with(asked, [](Facts& f) { f.attached = true; }), kNotListed), Sum(0, 1));
  EXPECT_EQ(gone(with(asked, [](Facts& f) { f.age = kMinute; }), kNotListed), Sum(0, 1));
  EXPECT_EQ(gone(with(asked, [](Facts& f) { f.ttl_passed = true; }), kNotListed), Sum(0, 1));
  EXPECT_EQ(gone(with(asked, [](Facts& f) { f.ended = true; }), kNotListed), Sum(0, 0));
  EXPECT_EQ(gone(asked, kProven), Sum(0, 0));
  EXPECT_EQ(gone(asked, kOther), Sum(0, 0));
  EXPECT_EQ(gone(asked, kLive), Sum(1, 0));
  EXPECT_EQ(gone(with(asked, [](Facts& f) { f.ended = true; }), kLive), Sum(1, 0));
}

TEST(Brake, NoneSeenOrMostOfFiveGone) {
  EXPECT_EQ(brake_of({.seen = 0, .gone = 0}), "");
  EXPECT_EQ(brake_of({.seen = 0, .gone = 1}), "none-seen");
  EXPECT_EQ(brake_of({.seen = 1, .gone = 3}), "");
  EXPECT_EQ(brake_of({.seen = 2, .gone = 2}), "");
  EXPECT_EQ(brake_of({.seen = 2, .gone = 3}), "most-gone");
  EXPECT_EQ(brake_of({.seen = 3, .gone = 3}), "");
  EXPECT_EQ(brake_of({.seen = 9, .gone = 0}), "");
}

}  // namespace
}  // namespace holdfast::gc
