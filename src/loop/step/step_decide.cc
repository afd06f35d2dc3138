// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_decide.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/exit_code.h"
#include "loop/intent/intent.h"
#include "loop/notice/notice.h"

namespace holdfast::loop {
namespace {

constexpr std::array<std::string_view, 6> kAnswers{"go",        "done",       "wait",
                                                   "exhausted", "suppressed", "verify"};

StepDecision wait_or_go(const StepRecord& record, const TimeMark& now) {
  if (record.next && left_of(*record.next, now) > Duration::zero()) {
    return {.answer = StepAnswer::kWait, .next = record.next};
  }
  return {};
}

StepDecision decide_once(const StepRecord& record, const StepRequest& request,
                         const TimeMark& now) {
  if (record.done && !request.ttl) return {.answer = StepAnswer::kDone};
  if (record.done) {
    const DueTime until{.from = record.done->at, .wait = *request.ttl};
    if (left_of(until, now) > Duration::zero()) return {.answer = StepAnswer::kDone, .next = until};
  }
  if (!record.unsure || request.refuted == record.unsure->run) return {};
  if (request.can_verify) return {.answer = StepAnswer::kVerify};
  return {.repeats = true};
}

StepDecision decide_attempt(const StepRecord& record, const StepRequest& request,
                            const TimeMark& now) {
  if (record.done) return {.answer = StepAnswer::kDone};
  if (record.failures >= request.max) return {.answer = StepAnswer::kExhausted};
  return wait_or_go(record, now);
}

StepDecision decide_notify(const StepRecord& record, const StepRequest& request,
                           const TimeMark& now) {
  if (!record.kept.texts.empty()) return wait_or_go(record, now);
  const auto same = same_sent(record, request, now);
  if (!same) return {};
  return {.answer = StepAnswer::kSuppressed, .next = same->until};
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

}  // namespace

bool has_succeeded(const StepEnd& end) {
  return end.state == SessionState::kExited && end.exit_code == 0 && !end.asked;
}

std::string_view to_text(StepAnswer answer) { return kAnswers[static_cast<std::size_t>(answer)]; }

StepDecision decide(const StepRecord& record, const StepRequest& request, const TimeMark& now) {
  switch (request.kind) {
    case StepKind::kOnce:
      return decide_once(record, request, now);
    case StepKind::kAttempt:
      return decide_attempt(record, request, now);
    case StepKind::kNotify:
      return decide_notify(record, request, now);
  }
  return {};
}

Duration retry_wait(const StepRecord& record, const StepRequest& request) {
  if (request.kind == StepKind::kNotify) {
    return notice_pause(record.failures);
  }
  if (request.kind != StepKind::kAttempt || request.backoff.empty()) return Duration::zero();
  const Duration base =
      request.backoff[std::min<std::uint64_t>(record.failures, request.backoff.size() - 1)];
  const double added = static_cast<double>(base.count()) * request.jitter;
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
        settle_notice(record, pending, end, at);
      } else {
        keep_unsent(record, std::move(pending.notice));
      }
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

void note_lapse(StepRecord& record, const StepRequest& request) {
  std::optional<Duration> lapses;
  if (request.kind == StepKind::kOnce) lapses = request.ttl;
  if (request.kind == StepKind::kNotify && !request.on_change) lapses = request.cooldown;
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
  }
  __builtin_unreachable();
}

}  // namespace holdfast::loop
