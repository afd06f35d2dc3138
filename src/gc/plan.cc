// SPDX-License-Identifier: Apache-2.0
#include "gc/plan.h"

#include <algorithm>
#include <map>

#include "gc/questions.h"
#include "gc/survey.h"
#include "os/machine/random.h"

namespace holdfast::gc {
namespace {

using authority::Question;
using authority::Verdict;

// `--probe FOO=CMD` with a mistyped pool leaves its workspaces unasked for ever, and one that was
// meant as an assignment for the shell is a probe of nobody. It is said, and it is never run.
void check_pools(const Survey& survey, const std::vector<GcProbe>& probes, Report& report) {
  std::vector<std::string_view> pools;
  for (const Candidate& candidate : survey.sessions) {
    if (!candidate.authority) continue;
    if (survey.authorities[*candidate.authority].kind != AuthorityKind::kCommand) continue;
    const std::string_view pool = pool_of(candidate.authority_id);
    if (pools.empty() || pools.back() != pool) pools.push_back(pool);
  }
  if (pools.empty()) return;
  for (const GcProbe& probe : probes) {
    if (probe.pool.empty() || std::ranges::find(pools, probe.pool) != pools.end()) continue;
    report.warnings.push_back(
        "the probe '" + probe.pool +
        "=…' speaks for nobody and was not run: no workspace has the authority "
        "command:" +
        probe.pool + " or command:" + probe.pool +
        "/…; where it is meant as an assignment for the shell, write `env " + probe.pool + "=…`");
  }
}

void tell_claims_error(const Survey& survey, Report& report) {
  if (!survey.claims_error) return;
  const bool matters = std::ranges::any_of(survey.sessions, [](const Candidate& candidate) {
    return candidate.decision.reason == "claim-unknown";
  });
  if (matters) report.warnings.push_back(to_sentence(*survey.claims_error));
}

class Planner {
 public:
  Planner(const Services& services, const Options& options, Survey& survey, Report& report,
          Aside& aside)
      : services_(services), options_(options), survey_(survey), report_(report), aside_(aside) {}

  Result<> ask_and_decide() {
    for (Candidate& candidate : survey_.sessions) {
      if (!candidate.authority) {
        note_process(candidate);
        continue;
      }
      const Authority authority = survey_.authority_of(candidate);
      const auto question = question_of(authority, options_.probes);
      const authority::Answer* answer = nullptr;
      if (question) {
        const auto line = services_.wait_for("the answer of " + name_of(*question));
        answer = &answers_.ask(*question, options_.probe_timeout);
      }
      if (answers_.interrupted() || services_.stop.raised()) return fail(interrupted());
      const Verdict verdict = judged(authority, candidate.name, answer);
      candidate.decision = decide(candidate.facts, options_.grace, &verdict);
      count(question, authority, verdict, candidate);
      if (answer != nullptr) note_id(authority, *answer, candidate);
      if (candidate.decision.fate != Fate::kUnknown || !is_skip(verdict)) continue;
      const bool told = answer == nullptr || answer->told;
      note_skipped(services_, question ? &*question : nullptr, verdict.reason,
                   told ? "" : answer->detail, report_);
    }
    return {};
  }

  void brake() {
    for (auto& [group, tally] : tallies_) {
      const std::string reason = brake_of(tally.count);
      if (reason.empty() || tally.dead.empty() || is_allowed(group, options_)) continue;
      for (Candidate* candidate : tally.dead) {
        candidate->decision = {.fate = Fate::kKeep, .reason = "braked"};
      }
      note_braked(services_, group,
                  {.reason = reason,
                   .gone = tally.count.gone,
                   .known = tally.count.gone + tally.count.seen},
                  report_);
    }
  }

  // --max-age and --keep: of the dead ones, only some go.
  void spare() {
    std::vector<Candidate*> dead;
    for (Candidate& candidate : survey_.sessions) {
      if (candidate.decision.fate != Fate::kRemove) continue;
      if (options_.max_age && candidate.facts.age < *options_.max_age) {
        candidate.decision = {.fate = Fate::kKeep, .reason = "not-old-enough"};
        continue;
      }
      dead.push_back(&candidate);
    }
    if (!options_.keep) return;
    std::ranges::sort(dead, [](const Candidate* one, const Candidate* other) {
      if (one->created != other->created) return one->created > other->created;
      return one->name < other->name;
    });
    const std::size_t kept = std::min<std::uint64_t>(*options_.keep, dead.size());
    for (std::size_t i = 0; i < kept; ++i) {
      dead[i]->decision = {.fate = Fate::kKeep, .reason = "kept-newest"};
    }
  }

  void tell(GcPlan& plan) {
    for (Candidate& candidate : survey_.sessions) {
      Decision& decision = candidate.decision;
      if (decision.fate == Fate::kRemove) {
        plan.entries.push_back({.name = std::move(candidate.name),
                                .id = candidate.id,
                                .change = candidate.change,
                                .run = candidate.run,
                                .reason = std::move(decision.reason)});
        continue;
      }
      auto& lines = decision.fate == Fate::kKeep ? report_.kept : report_.unknown;
      lines.push_back({.name = std::move(candidate.name), .reason = std::move(decision.reason)});
    }
  }

  static Error interrupted() {
    return {.code = ErrorCode::kBusy,
            .op = "ask the authorities",
            .subject = "",
            .cause = "interrupted",
            .detail = "a signal asked to end; nothing was removed"};
  }

 private:
  struct Sum {
    Tally count{};
    std::vector<Candidate*> dead{};
  };

  // A process that cannot be judged from here was looked at by the survey.
  void note_process(const Candidate& candidate) {
    const Decision& decision = candidate.decision;
    if (!candidate.facts.has_authority || decision.fate != Fate::kUnknown) return;
    if (candidate.facts.run == RunNow::kUnknown) return;
    note_skipped(services_, nullptr, decision.reason, "", report_);
  }

  void note_id(const Authority& authority, const authority::Answer& answer,
               const Candidate& candidate) {
    std::string full_id = authority::newly_known_id(authority, answer);
    if (full_id.empty()) return;
    aside_.known_ids.push_back({.session = candidate.name,
                                .id = candidate.id,
                                .change = candidate.change,
                                .full_id = std::move(full_id)});
  }

  void count(const std::optional<Question>& question, const Authority& authority,
             const Verdict& verdict, Candidate& candidate) {
    if (!question) return;
    const Group group = group_of(*question, authority);
    if (verdict.vouched == authority::Vouched::kLive) {
      aside_.known_sample.saw(group, authority, candidate.name);
    }
    Sum& sum = tallies_[group];
    sum.count.count(candidate.facts, verdict);
    if (candidate.decision.by_probe_alone) sum.dead.push_back(&candidate);
  }

  const Services& services_;
  const Options& options_;
  Survey& survey_;
  Report& report_;
  Aside& aside_;
  Answers answers_;
  std::map<Group, Sum> tallies_;
};

}  // namespace

Result<GcPlan> make_plan(const Services& services, const Options& options, Report& report,
                         Aside& aside) {
  Survey found = HF_TRY(survey(services, options));
  if (services.stop.raised()) return fail(Planner::interrupted());
  check_pools(found, options.probes, report);
  tell_claims_error(found, report);
  Planner planner(services, options, found, report, aside);
  HF_TRY(planner.ask_and_decide());
  planner.brake();
  planner.spare();
  GcPlan plan;
  plan.id = HF_TRY(os::random_id());
  plan.at = services.clock.wall();
  plan.made = found.now;
  plan.grace = options.grace;
  plan.probe_timeout = options.probe_timeout;
  plan.probes = options.probes;
  plan.rescue = options.rescue;
  plan.rescue_timeout = options.rescue_timeout;
  plan.trash_for = options.trash_for;
  plan.allow_all = options.allow_all;
  plan.allow = options.allow;
  for (const Candidate& candidate : found.sessions) {
    if (candidate.ttl_held) aside.ttls.push_back(candidate.name);
    if (!candidate.outside) continue;
    aside.outsides.push_back(candidate.name);
    aside.outside_ids.push_back(candidate.id);
  }
  planner.tell(plan);
  report.plan_id = plan.id;
  aside.stages = std::move(found.stages);
  return plan;
}

}  // namespace holdfast::gc
