// SPDX-License-Identifier: Apache-2.0
#include "loop/step_decide.h"

#include <algorithm>
#include <array>
#include <limits>

namespace holdfast::loop {
namespace {

constexpr std::array<std::string_view, 6> kAnswers{"go",        "done",       "wait",
                                                   "exhausted", "suppressed", "verify"};
constexpr std::array<Duration, 3> kNoticeBackoff{std::chrono::minutes(1), std::chrono::minutes(5),
                                                 std::chrono::minutes(30)};

StepDecision wait_or_go(const StepRecord& record, const TimeMark& now) {
  if (record.next && left_of(*record.next, now) > Duration::zero()) {
    return {.answer = StepAnswer::kWait, .next = record.next};
  }
  return {};
}

StepDecision decide_once(const StepRecord& record, const StepAsk& ask, const TimeMark& now) {
  if (record.done && !ask.ttl) return {.answer = StepAnswer::kDone};
  if (record.done) {
    const DueTime until{.from = record.done->at, .wait = *ask.ttl};
    if (left_of(until, now) > Duration::zero()) return {.answer = StepAnswer::kDone, .next = until};
  }
  if (!record.unsure || ask.refuted == record.unsure->run) return {};
  if (ask.can_verify) return {.answer = StepAnswer::kVerify};
  return {.repeats = true};
}

StepDecision decide_attempt(const StepRecord& record, const StepAsk& ask, const TimeMark& now) {
  if (record.done) return {.answer = StepAnswer::kDone};
  if (record.failures >= ask.max) return {.answer = StepAnswer::kExhausted};
  return wait_or_go(record, now);
}

StepDecision decide_notify(const StepRecord& record, const StepAsk& ask, const TimeMark& now) {
  if (record.kept) return wait_or_go(record, now);
  if (ask.on_change) {
    const bool same = !record.sent.empty() && record.sent.back().text == ask.digest;
    return {.answer = same ? StepAnswer::kSuppressed : StepAnswer::kGo};
  }
  const auto sent = std::ranges::find(record.sent, ask.digest, &SentNotice::text);
  if (sent == record.sent.end()) return {};
  const DueTime until{.from = sent->at, .wait = ask.cooldown};
  if (left_of(until, now) == Duration::zero()) return {};
  return {.answer = StepAnswer::kSuppressed, .next = until};
}

bool has_succeeded(const StepEnd& end) {
  return end.state == SessionState::kExited && end.exit_code == 0;
}

// All that was held back has been said with the one that arrived; what only may have arrived says
// nothing.
void note_sent(StepRecord& record, const Digest& text, const TimeMark& at, bool unsure) {
  SentNotice notice{.text = text, .at = at, .unsure = unsure};
  const auto earlier = std::ranges::find(record.sent, text, &SentNotice::text);
  if (earlier != record.sent.end()) {
    notice.held_back = earlier->held_back;
    record.sent.erase(earlier);
  }
  record.sent.push_back(notice);
  if (record.sent.size() > kMaxSentNotices) record.sent.erase(record.sent.begin());
  if (unsure) return;
  for (SentNotice& sent : record.sent) {
    sent.held_back = 0;
    sent.unsure = false;
  }
}

void settle_once(StepRecord& record, const StepEnd& end, const TimeMark& at) {
  if (has_succeeded(end)) {
    record.done = StepDone{.run = end.run, .at = at};
    record.unsure.reset();
  } else if (end.state == SessionState::kLost) {
    record.unsure = end;
  }
}

void settle_attempt(StepRecord& record, const StepPending& pending, const StepEnd& end,
                    const TimeMark& at) {
  if (has_succeeded(end)) {
    record.done = StepDone{.run = end.run, .at = at};
    record.next.reset();
    return;
  }
  ++record.failures;
  record.next = DueTime{.from = at, .wait = pending.retry_wait};
}

void settle_notify(StepRecord& record, StepPending pending, const StepEnd& end,
                   const TimeMark& at) {
  const bool unsure = end.state == SessionState::kLost;
  if (has_succeeded(end) || unsure) {
    note_sent(record, pending.text_digest.value_or(Digest{}), at, unsure);
    record.failures = 0;
    record.next.reset();
    record.kept.reset();
    return;
  }
  ++record.failures;
  record.next = DueTime{.from = at, .wait = pending.retry_wait};
  record.kept = std::move(pending.text);
}

}  // namespace

std::string_view to_text(StepAnswer answer) { return kAnswers[static_cast<std::size_t>(answer)]; }

StepDecision decide(const StepRecord& record, const StepAsk& ask, const TimeMark& now) {
  switch (ask.kind) {
    case StepKind::kOnce:
      return decide_once(record, ask, now);
    case StepKind::kAttempt:
      return decide_attempt(record, ask, now);
    case StepKind::kNotify:
      return decide_notify(record, ask, now);
    case StepKind::kTick:
      break;
  }
  return {};
}

Duration retry_wait(const StepRecord& record, const StepAsk& ask) {
  if (ask.kind == StepKind::kNotify) {
    return kNoticeBackoff[std::min<std::uint64_t>(record.failures, kNoticeBackoff.size() - 1)];
  }
  if (ask.kind != StepKind::kAttempt || ask.backoff.empty()) return Duration::zero();
  const Duration base =
      ask.backoff[std::min<std::uint64_t>(record.failures, ask.backoff.size() - 1)];
  const double added = static_cast<double>(base.count()) * ask.jitter;
  const double whole = static_cast<double>(base.count()) + added;
  constexpr auto kMost = std::numeric_limits<Duration::rep>::max();
  if (whole >= static_cast<double>(kMost)) return base;
  return base + Duration(static_cast<Duration::rep>(added));
}

StepEnd end_of(const StepPending& pending, const std::optional<SessionRecord>& record) {
  StepEnd end{.run = pending.run, .began = pending.since.wall, .repeats = pending.repeats};
  if (!record || !is_final(record->state)) return end;
  end.state = record->state;
  end.ended = record->ended;
  end.exit_code = record->exit_code;
  end.signal = record->signal;
  return end;
}

bool was_tried(const SessionRecord& record) {
  if (record.state != SessionState::kFailed) return true;
  return record.reason == "not-found" || record.reason == "not-executable";
}

void settle(StepRecord& record, const StepEnd& end, const TimeMark& at, bool tried) {
  StepPending pending = *std::move(record.pending);
  record.pending.reset();
  record.history.push_back(end);
  if (record.history.size() > kMaxStepHistory) record.history.erase(record.history.begin());
  ++record.runs;
  if (end.state == SessionState::kLost) ++record.lost;
  switch (record.step) {
    case StepKind::kOnce:
      settle_once(record, end, at);
      return;
    case StepKind::kAttempt:
      if (tried) settle_attempt(record, pending, end, at);
      return;
    case StepKind::kNotify:
      settle_notify(record, std::move(pending), end, at);
      return;
    case StepKind::kTick:
      return;
  }
}

void settle_as_never(StepRecord& record) {
  if (record.step == StepKind::kNotify) record.kept = std::move(record.pending->text);
  if (record.kept && record.kept->empty()) record.kept.reset();
  record.pending.reset();
}

TimeMark end_moment(const StepPending& pending, const StepEnd& end, const TimeMark& now) {
  TimeMark at = pending.since;
  if (end.ended && *end.ended > pending.since.wall) {
    at = later(pending.since, *end.ended - pending.since.wall);
  }
  // The wall clock was set meanwhile: it cannot have ended in the future.
  const bool same_clock =
      at.moment.boot == now.moment.boot && at.moment.timens == now.moment.timens;
  if (same_clock && at.moment.boot_ns > now.moment.boot_ns) at = now;
  return at;
}

void count_held_back(StepRecord& record, const StepAsk& ask) {
  const auto sent = std::ranges::find(record.sent, ask.digest, &SentNotice::text);
  if (sent != record.sent.end()) ++sent->held_back;
}

}  // namespace holdfast::loop
