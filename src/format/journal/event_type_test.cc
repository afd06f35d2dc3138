// SPDX-License-Identifier: Apache-2.0
#include "format/journal/event_type.h"

#include <gtest/gtest.h>

#include "format/journal/journal_record.h"

namespace holdfast {
namespace {

Error event_type_error_of(std::string_view type, const EventData& data = {}) {
  const auto checked = check_event(type, data.keys());
  return checked ? Error{} : checked.error();
}

TEST(EventType, EveryRowIsSpelledRightAndIsFound) {
  for (const EventType& type : event_types()) {
    EXPECT_TRUE(is_event_type_spelling(type.name)) << type.name;
    EXPECT_FALSE(type.name.starts_with(kOwnTypePrefix)) << type.name;
    EXPECT_EQ(find_event_type(type.name), &type);
    EXPECT_TRUE(type.says.ends_with('.') && type.says.size() < 100) << type.name;
    std::set<std::string_view> names;
    for (const EventField& field : type.fields) EXPECT_TRUE(names.insert(field.name).second);
    EXPECT_FALSE(names.empty()) << type.name;
  }
  EXPECT_EQ(find_event_type("lock"), nullptr);
  EXPECT_EQ(find_event_type(""), nullptr);
  EXPECT_EQ(find_event_type("zzz"), nullptr);
}

TEST(EventType, NamesAreNeverTakenAway) {
  // What is on people's disks and in their scripts; new ones are added here too.
  const std::vector<std::string_view> names{"block.changed",
                                            "block.refused",
                                            "ensure.created",
                                            "ensure.drift",
                                            "file.refused",
                                            "file.replaced",
                                            "gc.braked",
                                            "gc.failed",
                                            "gc.kept",
                                            "gc.planned",
                                            "gc.removed",
                                            "gc.skipped",
                                            "hook.allowed",
                                            "hook.ended",
                                            "hook.started",
                                            "journal.anchor_failed",
                                            "journal.anchored",
                                            "journal.full",
                                            "journal.opened",
                                            "journal.repaired",
                                            "journal.retention",
                                            "journal.sealed",
                                            "journal.sync_error",
                                            "layers.assembled",
                                            "layers.refused",
                                            "lock.acquired",
                                            "lock.broken",
                                            "lock.busy",
                                            "lock.expired",
                                            "lock.fail_open",
                                            "lock.lost",
                                            "lock.recovered",
                                            "lock.release_refused",
                                            "lock.released",
                                            "lock.taken",
                                            "loop.attempt",
                                            "loop.claimed",
                                            "loop.done",
                                            "loop.failed",
                                            "loop.gave_up",
                                            "loop.notified",
                                            "loop.paused",
                                            "loop.resumed",
                                            "loop.retried",
                                            "loop.settled",
                                            "loop.source_failed",
                                            "loop.suppressed",
                                            "loop.unknown",
                                            "loop.verified",
                                            "process.kill_refused",
                                            "process.killed",
                                            "process.survivors",
                                            "process.unproven",
                                            "series.began",
                                            "series.ended",
                                            "session.adopted",
                                            "session.attached",
                                            "session.changed",
                                            "session.created",
                                            "session.detached",
                                            "session.ended",
                                            "session.forgotten",
                                            "session.log_lost",
                                            "session.on_end_failed",
                                            "session.orphaned",
                                            "session.reserved",
                                            "session.resumed",
                                            "session.running",
                                            "session.starting",
                                            "session.stopping",
                                            "session.unverified",
                                            "session.verified",
                                            "step.claimed",
                                            "step.done",
                                            "step.failed",
                                            "step.forgotten",
                                            "step.repeated",
                                            "step.skipped",
                                            "step.suppressed",
                                            "tick.skipped",
                                            "trash.purge",
                                            "trash.purged",
                                            "trash.restored"};
  ASSERT_EQ(event_types().size(), names.size());
  for (const std::string_view name : names) EXPECT_NE(find_event_type(name), nullptr) << name;
}

TEST(EventType, WhatMustBeDurableBeforeTheActIsADecision) {
  std::set<std::string_view> traces;
  std::set<std::string_view> decisions;
  for (const EventType& type : event_types()) {
    if (type.event_class == EventClass::kTrace) traces.insert(type.name);
    if (type.event_class == EventClass::kDecision) decisions.insert(type.name);
  }
  EXPECT_EQ(traces, (std::set<std::string_view>{"lock.acquired", "lock.released"}));
  EXPECT_EQ(decisions,
            (std::set<std::string_view>{
                "gc.planned", "hook.allowed", "journal.anchored", "journal.retention",
                "journal.sync_error", "lock.broken", "lock.expired", "lock.fail_open", "lock.taken",
                "process.killed", "session.forgotten", "step.forgotten", "trash.purge"}));
}

TEST(EventType, ARightEventHasTheClassOfItsType) {
  const EventData data = EventData().text("lock", "deploy").text("reason", "timeout");
  EXPECT_EQ(check_event("lock.fail_open", data.keys()), EventClass::kDecision);
  EXPECT_EQ(check_event("lock.acquired", data.keys()), EventClass::kTrace);
  EXPECT_EQ(check_event("lock.busy", data.keys()), EventClass::kEvent);
}

TEST(EventType, FurtherFieldsAreAllowed) {
  const EventData data = EventData().text("lock", "a").flag("brand_new", true).null("holder");
  EXPECT_TRUE(check_event("lock.busy", data.keys()));
}

TEST(EventType, AMissingFieldIsNamed) {
  const Error error = event_type_error_of("lock.fail_open", EventData().text("lock", "a"));
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.cause, "missing-field");
  EXPECT_NE(error.detail.find("'reason'"), std::string::npos);
}

TEST(EventType, AFieldOfAnotherKindIsNamed) {
  for (const EventData& data : {EventData().number("lock", 7), EventData().null("lock"),
                                EventData().text("lock", "a").text("waited_ms", "7"),
                                EventData().text("lock", "a").text("overrun_ms", "7")}) {
    const Error error = event_type_error_of("lock.busy", data);
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_EQ(error.cause, "wrong-kind") << data.json();
  }
}

TEST(EventType, AnUnknownTypeGetsTheNearestName) {
  const Error error = event_type_error_of("lock.fail_opn");
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.cause, "unknown-type");
  EXPECT_NE(error.detail.find("'lock.fail_open'"), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find("start with x."), std::string::npos) << error.detail;
  const Error far = event_type_error_of("deploy.finished");
  EXPECT_EQ(far.cause, "unknown-type");
  EXPECT_EQ(far.detail.find("did you mean"), std::string::npos) << far.detail;
  EXPECT_NE(far.detail.find("start with x."), std::string::npos) << far.detail;
}

TEST(EventType, AWrongSpellingIsBadBeforeItIsUnknown) {
  for (const std::string& type : {std::string(), std::string("Lock.busy"), std::string("x."),
                                  std::string("lock busy"), std::string(65, 'x')}) {
    EXPECT_EQ(event_type_error_of(type).cause, "bad-type") << type;
  }
}

TEST(EventType, OwnTypesTakeAnything) {
  EXPECT_EQ(check_event("x.deployed", {}), EventClass::kEvent);
  EXPECT_EQ(check_event("x.deployed", EventData().null("lock").keys()), EventClass::kEvent);
}

}  // namespace
}  // namespace holdfast
