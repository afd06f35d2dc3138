// SPDX-License-Identifier: Apache-2.0
//
// Two who come at once. Both read "not done"; both fork a supervisor; both ask for the lock of the
// name. One gets it and writes the intent under the step's lock. The other is told that the name is
// held (75, by whom), or gets it later, when the first is over, and then decides on what the first
// has left: done, and nothing is started. There is no order in which both let a command go.
#include "loop/step/step_run.h"

#include <algorithm>

#include "os/machine/random.h"

namespace holdfast::loop {
namespace {

// Each round is an answer of another one's that came in between.
constexpr int kMostRounds = 8;

using StepRunKind = StepOutcome::Kind;

StepRunKind kind_of(StepAnswer answer) {
  switch (answer) {
    case StepAnswer::kWait:
      return StepRunKind::kWait;
    case StepAnswer::kExhausted:
      return StepRunKind::kExhausted;
    case StepAnswer::kSuppressed:
      return StepRunKind::kSuppressed;
    default:
      return StepRunKind::kDone;
  }
}

class Step {
 public:
  Step(const run::Services& services, const StepStore& steps, StepOrder order,
       StepVerifier* verifier)
      : run_services_(services),
        services_{.clock = services.clock,
                  .events = services.events,
                  .sessions = *services.sessions,
                  .steps = steps},
        order_(std::move(order)),
        name_{.kind = order_.ask.kind, .key = order_.ask.key},
        verifier_(verifier) {}

  Result<StepOutcome> run() {
    order_.run.name = name_.session();
    order_.ask.can_verify = verifier_ != nullptr;
    for (int i = 0; i < kMostRounds; ++i) {
      auto outcome = HF_TRY(round());
      if (!outcome) continue;
      // Not before: a journal that is open here would be shared with a supervisor.
      for (const Told& told : told_) {
        tell_step(services_.events, told.type, name_, told.end, told.reason);
      }
      return *std::move(outcome);
    }
    return fail({.code = ErrorCode::kBusy,
                 .op = "begin",
                 .subject = "'" + name_.session() + "'",
                 .cause = "step-busy",
                 .detail = "others change it all the time; nothing was started"});
  }

 private:
  struct Told {
    std::string_view type;
    std::optional<StepEnd> end;
    std::string_view reason;
  };

  // nullopt: something has changed meanwhile; once more.
  Result<std::optional<StepOutcome>> round() {
    const TimeMark now = HF_TRY(moment_now(services_.clock));
    auto record = HF_TRY(services_.steps.read(name_));
    StepLook look = HF_TRY(look_at_step(services_.sessions,
                                        record ? *std::move(record) : fresh_step(name_, now.wall),
                                        now, NameHeld::kNo));
    if (look.end && look.end->state == SessionState::kLost) found_lost_ = look.end;
    if (is_claimed(look.fate)) return claimed(std::move(look), now);
    const StepDecision decision = decide(look.record, order_.ask, now);
    if (decision.answer == StepAnswer::kGo) return go(look.record, decision, now);
    if (decision.answer == StepAnswer::kVerify) return verify(std::move(look.record), now);
    const bool has_text = name_.kind == StepKind::kNotify;
    if (look.changed() || has_text) {
      if (!HF_TRY(put_down(decision.answer))) return std::nullopt;
    }
    return outcome(kind_of(decision.answer), std::move(look.record), decision, now);
  }

  StepOutcome outcome(StepRunKind kind, StepRecord record, const StepDecision& decision,
                      const TimeMark& now) const {
    StepOutcome outcome{.kind = kind, .decision = decision, .record = std::move(record)};
    outcome.now = now;
    outcome.found_lost = found_lost_;
    outcome.keeping = keeping_;
    return outcome;
  }

  Result<std::optional<StepOutcome>> claimed(StepLook look, const TimeMark& now) {
    if (name_.kind == StepKind::kNotify && !HF_TRY(keep(Claim::kStill))) return std::nullopt;
    Error why = claimed_error(name_, look);
    const ProcessIdentity by = look.by;
    StepOutcome answer = outcome(StepRunKind::kClaimed, std::move(look.record), {}, now);
    answer.why = std::move(why);
    answer.claimed_by = by;
    return answer;
  }

  enum class Claim : std::uint8_t { kStill, kAny };
  // The caller's text goes on record behind what is being sent. False: with kStill, nothing is
  // being sent any more.
  Result<bool> keep(Claim claim) {
    const TimeMark now = HF_TRY(moment_now(services_.clock));
    StepHold hold = HF_TRY(StepHold::take(services_.steps, name_));
    StepRecord record = hold.record().value_or(fresh_step(name_, now.wall));
    if (claim == Claim::kStill) {
      const StepLook look = HF_TRY(look_at_step(services_.sessions, record, now, NameHeld::kNo));
      if (!is_claimed(look.fate)) return false;
    }
    keeping_ = keep_notice(record, order_.ask, now);
    HF_TRY(hold.write(record, durability_of(*keeping_)));
    return true;
  }

  static os::Durability durability_of(Keeping keeping) {
    return keeping == Keeping::kKept ? os::Durability::kFull : os::Durability::kNone;
  }

  // What was counted on the way, and a notice that is held back, go on record. False: the answer
  // is another one by now.
  Result<bool> put_down(StepAnswer answer) {
    const TimeMark now = HF_TRY(moment_now(services_.clock));
    StepHold hold = HF_TRY(StepHold::take(services_.steps, name_));
    if (!hold.record()) return false;
    StepLook look = HF_TRY(look_at_step(services_.sessions, *hold.record(), now, NameHeld::kNo));
    if (is_claimed(look.fate)) return false;
    if (decide(look.record, order_.ask, now).answer != answer) return false;
    if (answer == StepAnswer::kSuppressed) count_held_back(look.record, order_.ask);
    os::Durability durability = look.changed() ? os::Durability::kFull : os::Durability::kNone;
    if (answer == StepAnswer::kWait && name_.kind == StepKind::kNotify) {
      keeping_ = keep_notice(look.record, order_.ask, now);
      durability = std::max(durability, durability_of(*keeping_));
    }
    HF_TRY(hold.write(look.record, durability));
    if (look.end) told_.push_back({event_of(*look.end), look.end, "found-later"});
    return true;
  }

  Result<std::optional<StepOutcome>> verify(StepRecord record, const TimeMark& now) {
    const Id128 unsure = record.unsure->run;
    const WorldSays says = HF_TRY(verifier_->ask());
    if (says == WorldSays::kCannotTell) {
      StepOutcome answer = outcome(StepRunKind::kCannotTell, std::move(record), {}, now);
      answer.why = Error{.code = ErrorCode::kCannotTell,
                         .op = "begin",
                         .subject = "'" + name_.session() + "'",
                         .cause = "step-unverified",
                         .detail =
                             "how its last run ended is not known, and the verification "
                             "could not tell; nothing was started"};
      return answer;
    }
    if (says == WorldSays::kNotDone) {
      order_.ask.refuted = unsure;
      return std::nullopt;
    }
    StepHold hold = HF_TRY(StepHold::take(services_.steps, name_));
    if (!hold.record()) return std::nullopt;
    const TimeMark then = HF_TRY(moment_now(services_.clock));
    StepLook look = HF_TRY(look_at_step(services_.sessions, *hold.record(), then, NameHeld::kNo));
    if (is_claimed(look.fate) || !look.record.unsure || look.record.unsure->run != unsure) {
      return std::nullopt;
    }
    look.record.done = StepDone{.run = unsure, .at = then};
    look.record.unsure.reset();
    HF_TRY(hold.write(look.record, os::Durability::kFull));
    told_.push_back({"step.done", {}, "verified"});
    return std::nullopt;
  }

  Result<std::optional<StepOutcome>> go(const StepRecord& record, const StepDecision& decision,
                                        const TimeMark& now) {
    order_.run.run = HF_TRY(os::random_id());
    if (name_.kind == StepKind::kNotify) {
      order_.run.what.stdin_path = HF_TRY(services_.steps.text_path(name_));
    }
    StepGuard guard(services_, order_.ask, order_.run.run);
    run::Services services = run_services_;
    services.guard = &guard;
    run::Started started = HF_TRY(run::start_run(services, order_.run));
    if (started.report && started.report->fault && started.report->fault->cause == kStepNotNow) {
      return std::nullopt;
    }
    const bool refused = started.report && !started.report->started && started.report->fault &&
                         started.report->fault->code == ErrorCode::kBusy;
    if (refused && name_.kind == StepKind::kNotify) HF_TRY(keep(Claim::kAny));
    StepOutcome answer = outcome(StepRunKind::kRan, record, decision, now);
    if (const auto ended = moment_now(services_.clock)) answer.now = *ended;
    const auto after = services_.steps.read(name_);
    if (after && *after) answer.record = **after;
    if (answer.record.pending) answer.claimed_by = answer.record.pending->by;
    answer.started = std::move(started);
    return answer;
  }

  const run::Services& run_services_;
  StepServices services_;
  StepOrder order_;
  StepName name_;
  StepVerifier* verifier_;
  std::optional<StepEnd> found_lost_;
  std::optional<Keeping> keeping_;
  std::vector<Told> told_;
};

}  // namespace

Result<StepOutcome> run_step(const run::Services& services, const StepStore& steps, StepOrder order,
                             StepVerifier* verifier) {
  return Step(services, steps, std::move(order), verifier).run();
}

Result<std::optional<StepOutcome>> peek_step(const Clock& clock, const StepStore& steps,
                                             const StepAsk& ask) {
  auto record = HF_TRY(steps.read({.kind = ask.kind, .key = ask.key}));
  if (!record || record->pending) return std::nullopt;
  const TimeMark now = HF_TRY(moment_now(clock));
  StepOutcome outcome{.decision = decide(*record, ask, now)};
  const StepAnswer answer = outcome.decision.answer;
  const bool waits = answer == StepAnswer::kWait && ask.kind != StepKind::kNotify;
  const bool told = answer == StepAnswer::kDone || waits || answer == StepAnswer::kExhausted;
  if (!told) return std::nullopt;
  outcome.kind = kind_of(answer);
  outcome.record = *std::move(record);
  outcome.now = now;
  return outcome;
}

Result<StepRecord> forget_step(const StepServices& services, const StepName& name,
                               const std::string& reason) {
  StepHold hold = HF_TRY(StepHold::take(services.steps, name));
  if (!hold.record()) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "forget",
                 .subject = "'" + name.session() + "'",
                 .cause = "no-such-step",
                 .detail = "nothing is known of it"});
  }
  const TimeMark now = HF_TRY(moment_now(services.clock));
  const StepLook look = HF_TRY(look_at_step(services.sessions, *hold.record(), now, NameHeld::kNo));
  if (is_claimed(look.fate)) {
    Error error = claimed_error(name, look);
    error.op = "forget";
    return fail(std::move(error));
  }
  EventData data;
  data.text("step", std::string(to_text(name.kind))).text("key", name.key);
  if (!reason.empty()) data.text("reason", reason);
  HF_TRY(services.events.record({.type = "step.forgotten", .data = std::move(data)}));
  HF_TRY(hold.remove());
  return look.record;
}

}  // namespace holdfast::loop
