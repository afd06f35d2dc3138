// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_decide.h"

#include <gtest/gtest.h>

#include "format/loop/step_test_values.h"
#include "loop/notice/notice.h"
#include "loop/step/step_intent.h"
#include "os/machine/sha256.h"

namespace holdfast::loop {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

Id128 id(std::uint8_t byte) {
  Id128 id;
  id.bytes.fill(byte);
  return id;
}

TimeMark step_decide_at(Duration since) { return later(step_test_mark(1000), since); }

StepRequest ask_of(StepKind kind) { return {.kind = kind, .key = "k"}; }

StepRequest notice(const std::string& text) {
  StepRequest ask = ask_of(StepKind::kNotify);
  ask.text = text;
  ask.digest = os::sha256(text);
  return ask;
}

StepRecord step(StepKind kind) {
  return fresh_step({.kind = kind, .key = "k"}, step_decide_at({}).wall);
}

StepEnd step_decide_exited(int code) {
  return {.run = id(7), .state = SessionState::kExited, .exit_code = code};
}
StepEnd step_decide_lost() { return {.run = id(7)}; }

// Begins a run and counts its end.
void run(StepRecord& record, const StepRequest& ask, const StepEnd& end, const TimeMark& now) {
  StepPending pending{.run = end.run, .since = now, .retry_wait = retry_wait(record, ask)};
  if (ask.kind == StepKind::kNotify) {
    pending.notice = take_notice(record, ask, now).bundle;
  }
  record.pending = pending;
  settle(record, end, now);
}

std::string message_of(StepRecord record, const StepRequest& ask, const TimeMark& now) {
  return take_notice(record, ask, now).message;
}

StepAnswer answer(const StepRecord& record, const StepRequest& ask, const TimeMark& now) {
  return decide(record, ask, now).answer;
}

TEST(StepDecide, OnceIsDoneOnlyByExitZero) {
  for (const auto& [end, expected] : std::vector<std::pair<StepEnd, StepAnswer>>{
           {step_decide_exited(0), StepAnswer::kDone},
           {step_decide_exited(1), StepAnswer::kGo},
           {{.state = SessionState::kKilled, .signal = 9}, StepAnswer::kGo},
           {{.state = SessionState::kExited, .exit_code = 0, .asked = true}, StepAnswer::kGo},
           {{.state = SessionState::kTimedOut, .exit_code = 0}, StepAnswer::kGo},
           {{.state = SessionState::kUnverified, .exit_code = 0}, StepAnswer::kGo},
           {{.state = SessionState::kFailed}, StepAnswer::kGo},
           {step_decide_lost(), StepAnswer::kGo},
       }) {
    StepRecord record = step(StepKind::kOnce);
    run(record, ask_of(StepKind::kOnce), end, step_decide_at({}));
    EXPECT_EQ(answer(record, ask_of(StepKind::kOnce), step_decide_at(hours(9999))), expected)
        << to_text(end.state);
    EXPECT_EQ(record.runs, 1U);
    EXPECT_EQ(decide(record, ask_of(StepKind::kOnce), step_decide_at({})).repeats,
              end.state == SessionState::kLost);
  }
}

TEST(StepDecide, OnceWithATtlIsDoneForThatLong) {
  StepRecord record = step(StepKind::kOnce);
  StepRequest ask = ask_of(StepKind::kOnce);
  run(record, ask, step_decide_exited(0), step_decide_at({}));
  ask.ttl = hours(1);
  EXPECT_EQ(answer(record, ask, step_decide_at(minutes(59))), StepAnswer::kDone);
  EXPECT_EQ(answer(record, ask, step_decide_at(minutes(60))), StepAnswer::kGo);
  // A wall clock that was set forward makes nothing due.
  TimeMark set = step_decide_at(minutes(1));
  set.wall += hours(10000);
  EXPECT_EQ(answer(record, ask, set), StepAnswer::kDone);
}

TEST(StepDecide, WhatDecidesNothingAnyMoreHasLapsed) {
  const Duration idle = hours(1);
  const auto done = [&](StepKind kind, std::optional<Duration> lapses) {
    StepRecord record = step(kind);
    run(record, kind == StepKind::kNotify ? notice("a") : ask_of(kind), step_decide_exited(0),
        step_decide_at({}));
    record.lapses = lapses;
    record.history.back().began = step_decide_at({}).wall;
    return record;
  };
  const auto lapsed = [&](const StepRecord& record, Duration after) {
    return has_lapsed(record, idle, step_decide_at(after));
  };
  for (const StepKind kind : {StepKind::kOnce, StepKind::kNotify}) {
    EXPECT_FALSE(lapsed(done(kind, std::nullopt), hours(1000)));
    EXPECT_FALSE(lapsed(done(kind, hours(2)), hours(3)));
    EXPECT_TRUE(lapsed(done(kind, hours(2)), hours(3) + seconds(1)));
  }
  EXPECT_FALSE(lapsed(done(StepKind::kAttempt, hours(2)), hours(1000)));

  StepRecord unsure = done(StepKind::kOnce, hours(2));
  unsure.unsure = step_decide_lost();
  EXPECT_FALSE(lapsed(unsure, hours(1000)));
  StepRecord pending = done(StepKind::kOnce, hours(2));
  pending.pending = StepPending{};
  EXPECT_FALSE(lapsed(pending, hours(1000)));
  StepRecord unsent = done(StepKind::kNotify, hours(2));
  unsent.kept.texts.emplace_back();
  EXPECT_FALSE(lapsed(unsent, hours(1000)));
}

TEST(StepDecide, ARefreshThatFailsTakesNothingAway) {
  StepRecord record = step(StepKind::kOnce);
  StepRequest ask = ask_of(StepKind::kOnce);
  run(record, ask, step_decide_exited(0), step_decide_at({}));
  ask.ttl = hours(1);
  run(record, ask, step_decide_exited(1), step_decide_at(hours(2)));
  EXPECT_EQ(answer(record, ask, step_decide_at(hours(2))), StepAnswer::kGo);
  EXPECT_EQ(answer(record, ask_of(StepKind::kOnce), step_decide_at(hours(2))), StepAnswer::kDone);
}

TEST(StepDecide, WhatAVerificationCouldNotTellIsAskedAgain) {
  StepRecord record = step(StepKind::kOnce);
  StepRequest ask = ask_of(StepKind::kOnce);
  ask.can_verify = true;
  SessionRecord session = small_session();
  session.state = SessionState::kUnverified;
  session.exit_code = 0;
  session.verified = false;
  run(record, ask, end_of({.run = id(7)}, session), step_decide_at({}));
  EXPECT_EQ(decide(record, ask, step_decide_at({})), StepDecision{});  // it was refuted
  session.verified.reset();
  run(record, ask, end_of({.run = id(7)}, session), step_decide_at({}));
  EXPECT_EQ(answer(record, ask, step_decide_at({})), StepAnswer::kVerify);
}

TEST(StepDecide, ARunThatWasAskedToEndIsNotDone) {
  SessionRecord session = small_session();
  session.state = SessionState::kExited;
  session.exit_code = 0;
  const auto succeeded = [&] { return has_succeeded(end_of({.run = id(7)}, session)); };
  session.reason = "exited";
  EXPECT_TRUE(succeeded());
  session.reason = "lost";
  EXPECT_FALSE(succeeded());
  session.reason = "exited";
  session.asked = SessionAsked{.by = "TERM", .signal = 15};
  EXPECT_FALSE(succeeded());
  session.verified = true;
  EXPECT_TRUE(succeeded()) << "the verification saw the work done";
}

TEST(StepDecide, OnceWithAnUnknownOutcomeIsVerifiedFirstWhereThatIsPossible) {
  StepRecord record = step(StepKind::kOnce);
  StepRequest ask = ask_of(StepKind::kOnce);
  run(record, ask, step_decide_lost(), step_decide_at({}));
  ask.can_verify = true;
  EXPECT_EQ(answer(record, ask, step_decide_at({})), StepAnswer::kVerify);
  ask.refuted = id(8);  // of another run
  EXPECT_EQ(answer(record, ask, step_decide_at({})), StepAnswer::kVerify);
  ask.refuted = id(7);
  EXPECT_EQ(decide(record, ask, step_decide_at({})), StepDecision{});
  // A failure after it does not make the first one known.
  ask.refuted.reset();
  ask.can_verify = false;
  run(record, ask, step_decide_exited(1), step_decide_at({}));
  EXPECT_TRUE(decide(record, ask, step_decide_at({})).repeats);
  run(record, ask, step_decide_exited(0), step_decide_at({}));
  EXPECT_FALSE(record.unsure);
}

TEST(StepDecide, AttemptsWaitLongerEachTimeAndEnd) {
  StepRecord record = step(StepKind::kAttempt);
  StepRequest ask = ask_of(StepKind::kAttempt);
  ask.max = 4;
  ask.backoff = {minutes(5), minutes(30)};
  Duration now{};
  for (const Duration wait : {minutes(5), minutes(30), minutes(30)}) {
    ASSERT_EQ(answer(record, ask, step_decide_at(now)), StepAnswer::kGo);
    run(record, ask, step_decide_exited(3), step_decide_at(now));
    EXPECT_EQ(answer(record, ask, step_decide_at(now + wait - seconds(1))), StepAnswer::kWait);
    now += wait;
  }
  ASSERT_EQ(answer(record, ask, step_decide_at(now)), StepAnswer::kGo);
  run(record, ask, step_decide_lost(),
      step_decide_at(now));  // it may have done anything: it is used up
  EXPECT_EQ(answer(record, ask, step_decide_at(now + hours(99))), StepAnswer::kExhausted);
  EXPECT_EQ(record.failures, 4U);
  EXPECT_EQ(record.lost, 1U);
  ask.max = 5;
  EXPECT_EQ(answer(record, ask, step_decide_at(now + hours(99))), StepAnswer::kGo);
  run(record, ask, step_decide_exited(0), step_decide_at(now + hours(99)));
  EXPECT_EQ(answer(record, ask, step_decide_at(now + hours(100))), StepAnswer::kDone);
}

TEST(StepDecide, JitterAddsAndIsFixedWhenSet) {
  StepRecord record = step(StepKind::kAttempt);
  StepRequest ask = ask_of(StepKind::kAttempt);
  ask.backoff = {minutes(4)};
  ask.jitter = 0.25;
  EXPECT_EQ(retry_wait(record, ask), minutes(5));
  ask.backoff = {Duration::max()};
  EXPECT_EQ(retry_wait(record, ask), Duration::max());
  ask.backoff.clear();
  EXPECT_EQ(retry_wait(record, ask), Duration::zero());
}

TEST(StepDecide, WhatNeverCameToItsCommandUsesUpNoAttempt) {
  for (const auto& [reason, used] : std::vector<std::pair<std::string, std::uint64_t>>{
           {"not-found", 1}, {"not-executable", 1}, {"not-started", 0}, {"", 0}}) {
    StepRecord record = step(StepKind::kAttempt);
    SessionRecord session = small_session();
    session.state = SessionState::kFailed;
    session.reason = reason;
    record.pending = StepPending{.run = id(7)};
    const StepEnd end = end_of(*record.pending, session);
    settle(record, end, step_decide_at({}), was_tried(session));
    EXPECT_EQ(record.failures, used) << reason;
    EXPECT_FALSE(record.pending);
  }
  StepRecord record = step(StepKind::kAttempt);
  record.pending = StepPending{.run = id(7)};
  settle_as_never(record);
  EXPECT_EQ(record.runs + record.failures, 0U);
}

TEST(StepDecide, ANoticeIsSentOnceInItsCoolDownWhateverComesBetween) {
  StepRecord record = step(StepKind::kNotify);
  const StepRequest a = notice("a");
  const StepRequest b = notice("b");
  EXPECT_EQ(answer(record, a, step_decide_at({})), StepAnswer::kGo);
  run(record, a, step_decide_exited(0), step_decide_at({}));
  run(record, b, step_decide_exited(0), step_decide_at(minutes(1)));
  EXPECT_EQ(answer(record, a, step_decide_at(hours(23))), StepAnswer::kSuppressed);
  EXPECT_EQ(answer(record, b, step_decide_at(hours(24))), StepAnswer::kSuppressed);
  EXPECT_EQ(answer(record, a, step_decide_at(hours(24))), StepAnswer::kGo);
  StepRequest changed = a;
  changed.on_change = true;
  EXPECT_EQ(answer(record, changed, step_decide_at(minutes(2))),
            StepAnswer::kGo);  // b was the last
  run(record, changed, step_decide_exited(0), step_decide_at(minutes(2)));
  EXPECT_EQ(answer(record, changed, step_decide_at(hours(999))), StepAnswer::kSuppressed);
}

TEST(StepDecide, WhatWasHeldBackIsSaidInTheNextNotice) {
  StepRecord record = step(StepKind::kNotify);
  const StepRequest a = notice("broken");
  run(record, a, step_decide_exited(0), step_decide_at({}));
  for (int i = 0; i < 13; ++i) count_held_back(record, a);
  const std::string again = message_of(record, a, step_decide_at(hours(24)));
  EXPECT_EQ(again.substr(0, 30), "broken\n(seen 13 more times sin");
  EXPECT_NE(message_of(record, notice("other\n"), step_decide_at(hours(1)))
                .find("other\n(earlier notices were seen 13 more times since "),
            std::string::npos);
  run(record, a, step_decide_exited(0), step_decide_at(hours(24)));
  EXPECT_EQ(message_of(record, a, step_decide_at(hours(48))), "broken");
}

TEST(StepDecide, ANoticeThatFailedIsKeptAndComesWithTheNext) {
  StepRecord record = step(StepKind::kNotify);
  run(record, notice("a"), step_decide_exited(1), step_decide_at({}));
  EXPECT_EQ(answer(record, notice("a"), step_decide_at(seconds(59))), StepAnswer::kWait);
  EXPECT_EQ(answer(record, notice("b"), step_decide_at(seconds(59))), StepAnswer::kWait);
  EXPECT_EQ(answer(record, notice("b"), step_decide_at(minutes(1))), StepAnswer::kGo);
  EXPECT_EQ(message_of(record, notice("b"), step_decide_at(minutes(1))), "a\nb");
  EXPECT_EQ(message_of(record, notice("a"), step_decide_at(minutes(1))), "a");
  run(record, notice("b"), step_decide_exited(1), step_decide_at(minutes(1)));
  EXPECT_EQ(answer(record, notice("b"), step_decide_at(minutes(5))), StepAnswer::kWait);
  EXPECT_EQ(message_of(record, notice("b"), step_decide_at(minutes(6))), "a\nb");
  run(record, notice("b"), step_decide_exited(0), step_decide_at(minutes(6)));
  EXPECT_EQ(record.kept, NoticeBundle{});
  EXPECT_EQ(record.failures, 0U);
  EXPECT_EQ(answer(record, notice("b"), step_decide_at(minutes(7))), StepAnswer::kSuppressed);
}

TEST(StepDecide, ATextThatIsAPartOfAKeptOneIsSentAndEachOfThemCountsAsSent) {
  StepRecord record = step(StepKind::kNotify);
  run(record, notice("db is not ok\n"), step_decide_exited(1), step_decide_at({}));
  EXPECT_EQ(message_of(record, notice("ok\n"), step_decide_at(minutes(1))), "db is not ok\nok\n");
  run(record, notice("ok\n"), step_decide_exited(0), step_decide_at(minutes(1)));
  EXPECT_EQ(answer(record, notice("ok\n"), step_decide_at(minutes(2))), StepAnswer::kSuppressed);
  EXPECT_EQ(answer(record, notice("db is not ok\n"), step_decide_at(minutes(2))),
            StepAnswer::kSuppressed);
}

TEST(StepDecide, ATextThatComesInThePauseIsKeptOrCounted) {
  StepRecord record = step(StepKind::kNotify);
  run(record, notice("s"), step_decide_exited(0), step_decide_at({}));
  run(record, notice("a"), step_decide_exited(1), step_decide_at({}));
  EXPECT_EQ(keep_notice(record, notice("c"), step_decide_at(seconds(1))), Keeping::kKept);
  EXPECT_EQ(keep_notice(record, notice("a"), step_decide_at(seconds(1))), Keeping::kCounted);
  EXPECT_EQ(keep_notice(record, notice("c"), step_decide_at(seconds(1))), Keeping::kCounted);
  EXPECT_EQ(keep_notice(record, notice("s"), step_decide_at(seconds(1))), Keeping::kCounted);
  const std::string sent = message_of(record, notice("a"), step_decide_at(minutes(1)));
  EXPECT_TRUE(sent.starts_with("a\nc\n(earlier notices were seen 1 more time since ")) << sent;
  EXPECT_TRUE(sent.ends_with(")\n(2 repeats were held back before this was sent)\n")) << sent;
}

TEST(StepDecide, ATextThatComesWhileAnotherIsBeingSentIsNotLostWithIt) {
  for (const bool sent : {true, false}) {
    StepRecord record = step(StepKind::kNotify);
    record.pending = StepPending{.run = id(7)};
    record.pending->notice = take_notice(record, notice("a"), step_decide_at({})).bundle;
    EXPECT_EQ(keep_notice(record, notice("a"), step_decide_at({})), Keeping::kCounted);
    StepRecord only_again = record;
    EXPECT_EQ(keep_notice(record, notice("b"), step_decide_at({})), Keeping::kKept);
    settle(record, step_decide_exited(sent ? 0 : 1), step_decide_at({}));
    EXPECT_EQ(message_of(record, notice("b"), step_decide_at(minutes(1))).substr(0, 4),
              sent ? "b\n(1" : "a\nb\n");
    settle(only_again, step_decide_exited(sent ? 0 : 1), step_decide_at({}));
    EXPECT_EQ(answer(only_again, notice("a"), step_decide_at(minutes(1))),
              sent ? StepAnswer::kSuppressed : StepAnswer::kGo);
    EXPECT_EQ(only_again.sent.empty() ? 0U : only_again.sent.back().held_back, sent ? 1U : 0U);
  }
}

TEST(StepDecide, ASendingThatNeverBeganIsNoFailure) {
  StepRecord record = step(StepKind::kNotify);
  record.pending = StepPending{.run = id(7), .retry_wait = minutes(5)};
  record.pending->notice = take_notice(record, notice("a"), step_decide_at({})).bundle;
  settle(record, {.run = id(7), .state = SessionState::kFailed}, step_decide_at({}), false);
  EXPECT_EQ(record.failures, 0U);
  EXPECT_EQ(answer(record, notice("b"), step_decide_at({})), StepAnswer::kGo);
  EXPECT_EQ(message_of(record, notice("b"), step_decide_at({})), "a\nb");
}

TEST(StepDecide, ANoticeThatMayHaveArrivedIsNotSentAgainAndIsSaidLater) {
  StepRecord record = step(StepKind::kNotify);
  run(record, notice("a"), step_decide_lost(), step_decide_at({}));
  EXPECT_EQ(answer(record, notice("a"), step_decide_at(minutes(1))), StepAnswer::kSuppressed);
  const std::string next = message_of(record, notice("b"), step_decide_at(minutes(2)));
  EXPECT_NE(next.find("b\n(whether the notice of "), std::string::npos) << next;
  run(record, notice("b"), step_decide_exited(0), step_decide_at(minutes(2)));
  EXPECT_EQ(message_of(record, notice("c"), step_decide_at(minutes(3))), "c");
}

TEST(StepDecide, OnlyACommandThatFailedByItselfHasSentNothing) {
  const auto kept = [](StepEnd end) {
    StepRecord record = step(StepKind::kNotify);
    end.run = id(7);
    run(record, notice("a"), end, step_decide_at({}));
    return !record.kept.texts.empty();
  };
  EXPECT_TRUE(kept({.state = SessionState::kExited, .exit_code = 1}));
  EXPECT_TRUE(kept({.state = SessionState::kFailed}));
  EXPECT_FALSE(kept({.state = SessionState::kExited, .exit_code = 1, .asked = true}));
  EXPECT_FALSE(kept({.state = SessionState::kExited, .exit_code = 0, .asked = true}));
  EXPECT_FALSE(kept({.state = SessionState::kExited}));
  EXPECT_FALSE(kept({.state = SessionState::kKilled, .signal = 9}));
  EXPECT_FALSE(kept({.state = SessionState::kTimedOut, .signal = 15}));
  EXPECT_FALSE(kept({.state = SessionState::kLost}));
}

TEST(StepDecide, TheMemoryOfAStepIsBounded) {
  StepRecord record = step(StepKind::kNotify);
  for (int i = 0; i < 100; ++i)
    run(record, notice(std::to_string(i)), step_decide_exited(0), step_decide_at(seconds(i)));
  EXPECT_EQ(record.sent.size(), kMaxSentNotices);
  EXPECT_EQ(record.history.size(), kMaxStepHistory);
  EXPECT_EQ(record.runs, 100U);
  record.kept.texts = {{.text = std::string(kMaxNoticeBytes - 1, 'x')}};
  EXPECT_EQ(message_of(record, notice("new"), step_decide_at(hours(1))),
            "new\n(1 earlier notice could not be sent, and found no room here)\n");
  record.next = DueTime{.from = step_decide_at({}), .wait = hours(1)};
  for (int i = 0; i < 100; ++i)
    keep_notice(record, notice("n" + std::to_string(i)), step_decide_at(hours(1)));
  EXPECT_EQ(record.kept.texts.size(), kMaxBundleTexts);
  EXPECT_EQ(record.kept.texts.back().text, "n99");
  EXPECT_EQ(record.kept.dropped, 101U - kMaxBundleTexts);
}

TEST(StepDecide, AnEndIsNeverInTheFuture) {
  const StepPending pending{.since = step_decide_at({})};
  StepEnd end = step_decide_exited(1);
  EXPECT_EQ(end_moment(pending, end, step_decide_at(hours(1))), step_decide_at({}));
  end.ended = step_decide_at(minutes(20)).wall;
  EXPECT_EQ(end_moment(pending, end, step_decide_at(hours(1))), step_decide_at(minutes(20)));
  // The wall clock was set back while it ran: the pause does not count from its beginning.
  TimeMark back = step_decide_at(hours(1));
  back.wall -= hours(2);
  end.ended = back.wall - minutes(30);
  EXPECT_EQ(end_moment(pending, end, back), back);
  end.ended = step_decide_at(hours(5000)).wall;  // the wall clock was set forward while it ran
  EXPECT_EQ(end_moment(pending, end, step_decide_at(hours(1))), step_decide_at(hours(1)));
}

}  // namespace
}  // namespace holdfast::loop
