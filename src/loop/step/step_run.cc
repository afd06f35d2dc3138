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
  Step(const run::Services& services, const StepStore& steps, StepRunRequest request)
      : run_services_(services),
        services_{.clock = services.clock,
                  .events = services.events,
                  .sessions = *services.sessions,
                  .steps = steps},
        request_(std::move(request)),
        name_{.kind = request_.step.kind, .key = request_.step.key} {}

  Result<StepOutcome> run() {
    until_ = services_.clock.mono() + request_.run.name_wait;
    request_.run.name = name_.session();
    request_.step.can_verify = request_.verify.has_value();
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

  // For whoever has the name: of --if-busy wait, over all rounds.
  [[nodiscard]] Duration time_left() const {
    return std::max(until_ - services_.clock.mono(), Duration::zero());
  }

  // nullopt: something has changed meanwhile; once more.
  Result<std::optional<StepOutcome>> round() {
    const TimeMark now = HF_TRY(moment_now(services_.clock));
    auto record = HF_TRY(services_.steps.read(name_));
    StepStatus status = HF_TRY(
        step_status(services_.sessions, record ? *std::move(record) : fresh_step(name_, now.wall),
                    now, NameHeld::kNo));
    if (status.end && status.end->state == SessionState::kLost) found_lost_ = status.end;
    // The supervisor waits for the name, and then decides on what the other one has left.
    if (status.fate == IntentFate::kLive && time_left() > Duration::zero())
      return go(status.record, {}, now);
    if (is_claimed(status.fate)) return claimed(std::move(status), now);
    const StepDecision decision = decide(status.record, request_.step, now);
    if (decision.answer == StepAnswer::kGo) return go(status.record, decision, now);
    if (decision.answer == StepAnswer::kVerify) return verify(std::move(status.record), now);
    const bool has_text = name_.kind == StepKind::kNotify;
    if (status.changed() || has_text) {
      if (!HF_TRY(put_down(decision.answer))) return std::nullopt;
    }
    return outcome(kind_of(decision.answer), std::move(status.record), decision, now);
  }

  StepOutcome outcome(StepRunKind kind, StepRecord record, const StepDecision& decision,
                      const TimeMark& now) const {
    StepOutcome outcome{.kind = kind, .decision = decision, .record = std::move(record)};
    outcome.now = now;
    outcome.found_lost = found_lost_;
    outcome.keeping = keeping_;
    return outcome;
  }

  Result<std::optional<StepOutcome>> claimed(StepStatus status, const TimeMark& now) {
    if (name_.kind == StepKind::kNotify && !HF_TRY(keep(Claim::kStill))) return std::nullopt;
    Error why = claimed_error(name_, status);
    const ProcessIdentity by = status.by;
    StepOutcome answer = outcome(StepRunKind::kClaimed, std::move(status.record), {}, now);
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
      const StepStatus status = HF_TRY(step_status(services_.sessions, record, now, NameHeld::kNo));
      if (!is_claimed(status.fate)) return false;
    }
    keeping_ = keep_notice(record, request_.step, now);
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
    StepStatus status = HF_TRY(step_status(services_.sessions, *hold.record(), now, NameHeld::kNo));
    if (is_claimed(status.fate)) return false;
    if (decide(status.record, request_.step, now).answer != answer) return false;
    if (answer == StepAnswer::kSuppressed) count_held_back(status.record, request_.step);
    os::Durability durability = status.changed() ? os::Durability::kFull : os::Durability::kNone;
    if (answer == StepAnswer::kWait && name_.kind == StepKind::kNotify) {
      keeping_ = keep_notice(status.record, request_.step, now);
      durability = std::max(durability, durability_of(*keeping_));
    }
    HF_TRY(hold.write(status.record, durability));
    if (status.end) told_.push_back({event_of(*status.end), status.end, "found-later"});
    return true;
  }

  Result<std::optional<StepOutcome>> verify(StepRecord record, const TimeMark& now) {
    const Id128 unsure = record.unsure->run;
    const Answer says = HF_TRY(ask(services_.clock, *request_.verify)).answer;
    if (says == Answer::kCannotTell) {
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
    if (says == Answer::kNo) {
      request_.step.refuted = unsure;
      return std::nullopt;
    }
    StepHold hold = HF_TRY(StepHold::take(services_.steps, name_));
    if (!hold.record()) return std::nullopt;
    const TimeMark then = HF_TRY(moment_now(services_.clock));
    StepStatus status =
        HF_TRY(step_status(services_.sessions, *hold.record(), then, NameHeld::kNo));
    if (is_claimed(status.fate) || !status.record.unsure || status.record.unsure->run != unsure) {
      return std::nullopt;
    }
    status.record.done = StepDone{.run = unsure, .at = then};
    status.record.unsure.reset();
    HF_TRY(hold.write(status.record, os::Durability::kFull));
    told_.push_back({"step.done", {}, "verified"});
    return std::nullopt;
  }

  Result<std::optional<StepOutcome>> go(const StepRecord& record, const StepDecision& decision,
                                        const TimeMark& now) {
    request_.run.run = HF_TRY(os::random_id());
    request_.run.name_wait = time_left();
    if (name_.kind == StepKind::kNotify) {
      request_.run.what.stdin_path = HF_TRY(services_.steps.text_path(name_));
    }
    StepIntent intent(services_, request_.step);
    IntentGuard guard(intent, request_.run.run);
    run::Services services = run_services_;
    services.guard = &guard;
    run::Started started = HF_TRY(run::start_run(services, request_.run));
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
  StepRunRequest request_;
  StepName name_;
  MonoTime until_{};
  std::optional<StepEnd> found_lost_;
  std::optional<Keeping> keeping_;
  std::vector<Told> told_;
};

}  // namespace

Result<StepOutcome> run_step(const run::Services& services, const StepStore& steps,
                             StepRunRequest request) {
  return Step(services, steps, std::move(request)).run();
}

Result<std::optional<StepOutcome>> peek_step(const Clock& clock, const StepStore& steps,
                                             const StepRequest& request) {
  auto record = HF_TRY(steps.read({.kind = request.kind, .key = request.key}));
  if (!record || record->pending) return std::nullopt;
  const TimeMark now = HF_TRY(moment_now(clock));
  StepOutcome outcome{.decision = decide(*record, request, now)};
  const StepAnswer answer = outcome.decision.answer;
  const bool waits = answer == StepAnswer::kWait && request.kind != StepKind::kNotify;
  const bool told = answer == StepAnswer::kDone || waits || answer == StepAnswer::kExhausted;
  if (!told) return std::nullopt;
  outcome.kind = kind_of(answer);
  outcome.record = *std::move(record);
  outcome.now = now;
  return outcome;
}

}  // namespace holdfast::loop
