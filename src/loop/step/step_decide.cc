// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_decide.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/exit_code.h"
#include "format/session/outcome.h"
#include "loop/item/notice_bundle.h"

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
  if (!record.kept.texts.empty()) return wait_or_go(record, now);
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

}  // namespace

bool has_succeeded(const StepEnd& end) {
  return end.state == SessionState::kExited && end.exit_code == 0 && !end.asked;
}

namespace {

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
  } else if (end.state == SessionState::kLost || end.unproven) {
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
  // A command that cannot tell has not failed (rule S1a).
  const bool cannot_tell =
      end.state == SessionState::kExited && end.exit_code == to_int(ExitCode::kCannotTell);
  if (!cannot_tell) ++record.failures;
  record.next = DueTime{.from = at, .wait = pending.retry_wait};
}

// Rule S1a. Only a command that came to its own end with another code than 0, or that never
// started, says that nothing was sent; one that was killed or told to end was perhaps too late.
bool may_have_sent(const StepEnd& end) {
  switch (end.state) {
    case SessionState::kExited:
      return end.asked || !end.exit_code;
    case SessionState::kFailed:
      return false;
    default:
      return true;
  }
}

// Behind what was being sent comes what others had to say meanwhile.
void keep_unsent(StepRecord& record, NoticeBundle unsent) {
  add_bundle(unsent, std::move(record.kept));
  record.kept = std::move(unsent);
}

void settle_notify(StepRecord& record, StepPending pending, const StepEnd& end,
                   const TimeMark& at) {
  const bool unsure = may_have_sent(end);
  if (has_succeeded(end) || unsure) {
    for (const NoticeText& text : pending.notice.texts) note_sent(record, text.digest, at, unsure);
    record.failures = 0;
    record.next.reset();
    if (!record.kept.texts.empty() || record.sent.empty()) return;
    // What came while it was sent was only the same again.
    record.sent.back().held_back += record.kept.repeats;
    record.kept = {};
    return;
  }
  ++record.failures;
  record.next = DueTime{.from = at, .wait = pending.retry_wait};
  keep_unsent(record, std::move(pending.notice));
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
  end.asked = was_asked_to_end(*record);
  end.unproven = record->state == SessionState::kUnverified && !record->verified;
  return end;
}

bool was_asked_to_end(const SessionRecord& record) {
  return (record.asked || record.reason == reason::kLost) && record.verified != true;
}

bool was_tried(const SessionRecord& record) {
  if (record.state != SessionState::kFailed) return true;
  return record.reason == reason::kNotFound || record.reason == reason::kNotExecutable;
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
      if (tried) {
        settle_notify(record, std::move(pending), end, at);
      } else {
        keep_unsent(record, std::move(pending.notice));
      }
      return;
    case StepKind::kTick:
      return;
  }
}

void settle_as_never(StepRecord& record) {
  if (record.step == StepKind::kNotify) keep_unsent(record, std::move(record.pending->notice));
  record.pending.reset();
}

// How long it took is known by the wall clock alone. In one boot the boot clock tells whether that
// was set meanwhile: then the two have moved apart since the run began, and the only thing that is
// certain is that it has ended by now.
TimeMark end_moment(const StepPending& pending, const StepEnd& end, const TimeMark& now) {
  if (!end.ended) return pending.since;
  constexpr Duration kAdjusted = std::chrono::seconds(1);  // by a clock that is only being trimmed
  const TimeMark& since = pending.since;
  const Duration took = *end.ended - since.wall;
  const bool same_clock =
      since.moment.boot == now.moment.boot && since.moment.timens == now.moment.timens;
  if (!same_clock) return took >= Duration::zero() ? later(since, took) : now;
  const Duration passed(now.moment.boot_ns - since.moment.boot_ns);
  const Duration apart = (now.wall - since.wall) - passed;
  const bool was_set = apart > kAdjusted || apart < -kAdjusted;
  if (was_set || took < Duration::zero() || took > passed) return now;
  return later(since, took);
}

void note_lapse(StepRecord& record, const StepAsk& ask) {
  std::optional<Duration> lapses;
  if (ask.kind == StepKind::kOnce) lapses = ask.ttl;
  if (ask.kind == StepKind::kNotify && !ask.on_change) lapses = ask.cooldown;
  const bool decided = record.done || !record.sent.empty();
  if (decided && record.lapses && lapses) {
    record.lapses = std::max(*record.lapses, *lapses);
  } else if (!decided || record.lapses) {
    record.lapses = lapses;
  }
}

bool has_lapsed(const StepRecord& record, Duration idle, const TimeMark& now) {
  if (record.pending || record.unsure || !record.kept.texts.empty()) return false;
  WallTime last = record.created;
  if (!record.history.empty()) {
    const StepEnd& end = record.history.back();
    last = end.ended.value_or(end.began);
  }
  if (now.wall - last < idle) return false;
  const auto is_past = [&](const TimeMark& at) {
    return record.lapses && passed_since(at, now) - idle > *record.lapses;
  };
  switch (record.step) {
    case StepKind::kOnce:
      return !record.done || is_past(record.done->at);
    case StepKind::kAttempt:
      return false;
    case StepKind::kNotify:
      return std::ranges::all_of(record.sent, is_past, &SentNotice::at);
    case StepKind::kTick:
      return true;
  }
  __builtin_unreachable();
}

void count_held_back(StepRecord& record, const StepAsk& ask) {
  const auto sent = std::ranges::find(record.sent, ask.digest, &SentNotice::text);
  if (sent != record.sent.end()) ++sent->held_back;
}

}  // namespace holdfast::loop
