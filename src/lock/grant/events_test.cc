// SPDX-License-Identifier: Apache-2.0
#include "lock/grant/events.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/journal/event_type.h"

namespace holdfast::lock {
namespace {

using namespace std::chrono_literals;

// Keeps what the registry accepts.
class Notebook final : public EventSink {
 public:
  Result<EventReceipt> record(const Event& event) override {
    if (broken) return fail({.code = ErrorCode::kIo, .op = "write", .cause = "enospc"});
    const auto event_class = HF_TRY(check_event(event.type, event.data.keys()));
    lines.push_back(std::string(event.type) + " " + std::string(to_text(event_class)) + " " +
                    event.data.json());
    return EventReceipt{};
  }
  std::vector<std::string> lines;
  bool broken = false;
};

Grant test_grant() {
  Grant grant;
  grant.token.bytes.fill(0xab);
  grant.fence = 7;
  return grant;
}

HolderView test_holder() {
  HolderView holder;
  holder.state = LockState::kHeld;
  holder.pid = 4711;
  holder.reason = "deploy";
  holder.evidence = "running";
  return holder;
}

TEST(LockEvents, AFreeLockComesAndGoesAsTrace) {
  Notebook book;
  const LockEvents events(&book, "build");
  AcquireOutcome outcome;
  outcome.kind = AcquireOutcome::Kind::kGranted;
  outcome.cause = LockCause::kFresh;
  events.acquired(test_grant(), outcome, {});
  events.released(test_grant());
  EXPECT_EQ(book.lines,
            (std::vector<std::string>{
                R"(lock.acquired trace {"lock":"build","mode":"exclusive","fence":7})",
                R"(lock.released trace {"lock":"build","mode":"exclusive","fence":7})"}));
}

TEST(LockEvents, WhatWasTakenOverFromTheDeadSaysFromWhomAndWhy) {
  Notebook book;
  const LockEvents events(&book, "build");
  AcquireOutcome outcome;
  outcome.kind = AcquireOutcome::Kind::kGranted;
  outcome.before = test_holder();
  outcome.waited = 1500ms;
  outcome.cause = LockCause::kDead;
  outcome.evidence = "pidfd-ended";
  events.acquired(test_grant(), outcome, {});
  ASSERT_EQ(book.lines.size(), 1U);
  EXPECT_EQ(book.lines[0],
            R"(lock.recovered event {"lock":"build","mode":"exclusive","fence":7,"waited_ms":1500,)"
            R"("evidence":"pidfd-ended","holder":{"pid":4711,"reason":"deploy",)"
            R"("evidence":"running"}})");
  outcome.evidence.clear();
  for (const auto& [cause, word] : {std::pair(LockCause::kRebooted, "\"rebooted\""),
                                    std::pair(LockCause::kExpired, "\"expired\"")}) {
    outcome.cause = cause;
    events.acquired(test_grant(), outcome, {});
    EXPECT_TRUE(book.lines.back().starts_with("lock.recovered event"));
    EXPECT_NE(book.lines.back().find(word), std::string::npos) << book.lines.back();
  }
}

TEST(LockEvents, WhoWasNotLetInIsToldWhy) {
  using OutcomeKind = AcquireOutcome::Kind;
  Notebook book;
  const LockEvents events(&book, "build");
  AcquireOutcome outcome;
  outcome.busy_reason = "timeout";
  outcome.holder = test_holder();
  for (const auto& [kind, word] :
       {std::pair(OutcomeKind::kBusy, "timeout"), std::pair(OutcomeKind::kDeadlock, "deadlock"),
        std::pair(OutcomeKind::kCancelled, "cancelled"),
        std::pair(OutcomeKind::kSurvivors, "survivors")}) {
    outcome.kind = kind;
    events.busy(outcome);
    EXPECT_TRUE(book.lines.back().starts_with("lock.busy event")) << word;
    EXPECT_NE(book.lines.back().find("\"reason\":\"" + std::string(word) + "\""), std::string::npos)
        << book.lines.back();
  }
  events.lost(test_grant(), "renew");
  events.release_refused("wrong token");
  EXPECT_EQ(book.lines.size(), 6U);
}

TEST(LockEvents, ForceIsADecision) {
  Notebook book;
  const LockEvents events(&book, "build");
  EXPECT_TRUE(events.will_take(test_holder(), "expired", 2500ms));
  EXPECT_TRUE(events.taken(test_grant(), test_holder(), "replaced"));
  EXPECT_TRUE(events.will_break(test_holder(), "stuck"));
  ASSERT_EQ(book.lines.size(), 3U);
  EXPECT_TRUE(book.lines[0].starts_with("lock.expired decision"));
  EXPECT_NE(book.lines[0].find("\"overrun_ms\":2500"), std::string::npos);
  EXPECT_TRUE(book.lines[1].starts_with("lock.taken decision"));
  EXPECT_TRUE(book.lines[2].starts_with("lock.broken decision"));
}

TEST(LockEvents, ADecisionThatCannotBeKeptIsRefusedAndNewsIsLostSilently) {
  Notebook book;
  book.broken = true;
  for (EventSink* sink : {static_cast<EventSink*>(nullptr), static_cast<EventSink*>(&book)}) {
    const LockEvents events(sink, "build");
    EXPECT_FALSE(events.will_take(test_holder(), "expired", 0s));
    EXPECT_FALSE(events.taken(test_grant(), test_holder(), "expired"));
    EXPECT_FALSE(events.will_break(test_holder(), "stuck"));
    AcquireOutcome outcome;
    outcome.kind = AcquireOutcome::Kind::kGranted;
    events.acquired(test_grant(), outcome, {});
    events.busy(outcome);
    events.lost(test_grant(), "renew");
    events.released(test_grant());
    events.release_refused("no");
  }
  const auto refused = LockEvents(nullptr, "build").will_break(test_holder(), "stuck");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().cause, "no-journal");
}

TEST(LockEvents, NoTokenIsEverWritten) {
  Notebook book;
  const LockEvents events(&book, "build");
  AcquireOutcome outcome;
  outcome.kind = AcquireOutcome::Kind::kGranted;
  events.acquired(test_grant(), outcome, {});
  ASSERT_TRUE(events.taken(test_grant(), test_holder(), "expired"));
  for (const std::string& line : book.lines) EXPECT_EQ(line.find("abab"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::lock
