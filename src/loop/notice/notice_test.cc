// SPDX-License-Identifier: Apache-2.0
#include "loop/notice/notice.h"

#include <gtest/gtest.h>

namespace holdfast::loop {
namespace {

constexpr Duration kDay = std::chrono::hours(24);

TimeMark notice_at(Duration since_boot) {
  TimeMark mark;
  mark.moment.boot_ns = since_boot.count();
  mark.wall = WallTime(std::chrono::hours(500'000) + since_boot);
  return mark;
}
const TimeMark kNoticeNow = notice_at(std::chrono::hours(1));

ItemNotice sent(const std::string& about) {
  ItemNotice notice;
  want_notice(notice, about, kDay, kNoticeNow);
  notice.act = ItemAct{};
  note_sending(notice, Sending::kSent, kNoticeNow);
  return notice;
}

TEST(LoopNotice, TheSameTroubleIsToldOnceAndCounted) {
  ItemNotice notice = sent("refuted");
  for (int i = 0; i < 13; ++i) {
    EXPECT_EQ(want_notice(notice, "refuted", kDay, kNoticeNow), Told::kHeldBack);
  }
  EXPECT_TRUE(notice.wanted.empty());
  EXPECT_EQ(notice.held_back, 13U);
  EXPECT_EQ(want_notice(notice, "exit-1", kDay, kNoticeNow), Told::kWanted);
  ItemRecord item{.id = "160", .detail = "the run exited with 1", .notice = notice};
  EXPECT_NE(notice_text(item, {.loop = "fix", .attempts = 3}).find("seen 13 more times since"),
            std::string::npos);
}

TEST(LoopNotice, AfterTheCoolDownItIsToldAgain) {
  ItemNotice notice = sent("refuted");
  want_notice(notice, "refuted", kDay, kNoticeNow);
  const TimeMark later = notice_at(std::chrono::hours(26));
  EXPECT_EQ(want_notice(notice, "refuted", kDay, later), Told::kWanted);
  EXPECT_EQ(notice.wanted, "refuted");
}

TEST(LoopNotice, OneThatCouldNotBeSentIsTriedAgainAndNotForgotten) {
  ItemNotice notice;
  want_notice(notice, "refuted", kDay, kNoticeNow);
  std::vector<Duration> waits;
  for (int i = 0; i < 4; ++i) {
    notice.act = ItemAct{};
    note_sending(notice, Sending::kFailed, kNoticeNow);
    EXPECT_EQ(notice.wanted, "refuted");
    EXPECT_TRUE(notice.told.empty());
    waits.push_back(notice.next->wait);
  }
  EXPECT_EQ(waits.front(), std::chrono::minutes(1));
  EXPECT_EQ(waits.back(), std::chrono::minutes(30));
}

TEST(LoopNotice, OneWhoseSendingNobodySawEndIsNotRepeatedAndTheNextOneSaysSo) {
  ItemNotice notice;
  want_notice(notice, "refuted", kDay, kNoticeNow);
  notice.act = ItemAct{};
  note_sending(notice, Sending::kLost, kNoticeNow);
  EXPECT_TRUE(notice.wanted.empty());
  EXPECT_EQ(want_notice(notice, "refuted", kDay, kNoticeNow), Told::kHeldBack);
  EXPECT_EQ(want_notice(notice, "lost", kDay, kNoticeNow), Told::kWanted);
  const ItemRecord item{.id = "160", .notice = notice};
  EXPECT_NE(notice_text(item, {.loop = "fix", .attempts = 3}).find("may not have arrived"),
            std::string::npos);
}

TEST(LoopNotice, WhatComesWhileAnotherIsBeingSentComesAfterIt) {
  ItemNotice notice;
  want_notice(notice, "refuted", kDay, kNoticeNow);
  notice.act = ItemAct{};
  EXPECT_EQ(want_notice(notice, "exit-1", kDay, kNoticeNow), Told::kWanted);
  EXPECT_EQ(notice.wanted, "refuted");
  note_sending(notice, Sending::kSent, kNoticeNow);
  EXPECT_EQ(notice.wanted, "exit-1");
  EXPECT_EQ(notice.told.back().about, "refuted");
}

TEST(LoopNotice, TroublesThatTakeTurnsAreEachToldOnce) {
  ItemNotice notice = sent("exit-1");
  want_notice(notice, "exit-2", kDay, kNoticeNow);
  notice.act = ItemAct{};
  note_sending(notice, Sending::kSent, kNoticeNow);
  for (const char* about : {"exit-1", "exit-2", "exit-1", "exit-2"}) {
    EXPECT_EQ(want_notice(notice, about, kDay, kNoticeNow), Told::kHeldBack);
  }
  EXPECT_EQ(notice.held_back, 4U);
}

TEST(LoopNotice, WhatIsHeldBackDuringASendingIsSaidInTheNextOne) {
  ItemNotice notice = sent("refuted");
  want_notice(notice, "refuted", kDay, kNoticeNow);
  want_notice(notice, "exit-1", kDay, kNoticeNow);
  notice.act = ItemAct{};
  notice.said = notice.held_back;
  want_notice(notice, "refuted", kDay, kNoticeNow);
  note_sending(notice, Sending::kSent, kNoticeNow);
  EXPECT_EQ(notice.held_back, 1U);
}

}  // namespace
}  // namespace holdfast::loop
