// SPDX-License-Identifier: Apache-2.0
#include "loop/item/account.h"

#include <gtest/gtest.h>

namespace holdfast::loop {
namespace {

using How = ActEnd::How;
using Kind = ItemAct::Kind;
using enum ItemState;

const TimeMark kAccountNow{};

LoopFile file(bool verify = true) {
  LoopFile file;
  file.name = "fix";
  file.attempts = 3;
  file.backoff = {std::chrono::minutes(5), std::chrono::minutes(30)};
  file.verify_every = std::chrono::minutes(1);
  if (verify) file.verify = LoopCommand{.words = {"v"}};
  return file;
}

LoopFile with_acts(bool verified) {
  LoopFile with = file();
  with.on_success = LoopAct{.run = {.words = {"s"}}};
  with.on_failure = LoopAct{.run = {.words = {"f"}}};
  if (verified) with.on_success->verify = LoopCommand{.words = {"sv"}};
  if (verified) with.on_failure->verify = LoopCommand{.words = {"fv"}};
  return with;
}

ItemRecord item(ItemState state, Kind kind, std::uint64_t attempts = 1) {
  ItemRecord item{.id = "160", .state = state, .attempts = attempts};
  item.act = ItemAct{.kind = kind, .session = "fix-160"};
  return item;
}

ActEnd account_exited(int code) { return {.how = How::kExited, .code = code}; }
ActEnd ended(How how) { return {.how = how}; }

TEST(Account, AClaimOfSuccessIsAskedOfTheWorld) {
  const Accounted done =
      account(item(kRunning, Kind::kRun), file(), account_exited(0), kAccountNow);
  EXPECT_EQ(done.item.state, kVerifying);
  EXPECT_FALSE(done.item.act);
  EXPECT_FALSE(done.verified);
}

TEST(Account, WithoutVerifyTheRunIsBelieved) {
  EXPECT_EQ(
      account(item(kRunning, Kind::kRun), file(false), account_exited(0), kAccountNow).item.state,
      kDone);
}

TEST(Account, AFailureIsBelievedWhereThereIsNobodyToAsk) {
  const Accounted done =
      account(item(kRunning, Kind::kRun), file(false), account_exited(1), kAccountNow);
  EXPECT_EQ(done.item.state, kWaiting);
  EXPECT_TRUE(done.attempt_failed);
  ASSERT_TRUE(done.item.next);
  EXPECT_EQ(done.item.next->wait, std::chrono::minutes(5));
  EXPECT_EQ(done.about, "exit-1");
}

TEST(Account, AFailureToStartIsAFailedAttempt) {
  for (const bool verify : {true, false}) {
    EXPECT_EQ(
        account(item(kRunning, Kind::kRun), file(verify), ended(How::kNeverStarted), kAccountNow)
            .item.state,
        kWaiting);
  }
}

TEST(Account, ARunThatFailedMayHaveDoneItAllTheSame) {
  Accounted asked = account(item(kRunning, Kind::kRun), file(), account_exited(255), kAccountNow);
  EXPECT_EQ(asked.item.state, kVerifying);
  EXPECT_FALSE(asked.attempt_failed);
  asked.item.act = ItemAct{.kind = Kind::kVerify};
  EXPECT_EQ(account(asked.item, file(), account_exited(0), kAccountNow).item.state, kDone);
  const Accounted no = account(asked.item, file(), account_exited(1), kAccountNow);
  EXPECT_EQ(no.item.state, kWaiting);
  EXPECT_EQ(no.item.reason, "exit-255");
}

TEST(Account, WhatNobodySawEndIsAskedOfTheWorldAndWithoutThatOfAPerson) {
  EXPECT_EQ(account(item(kRunning, Kind::kRun), file(), ended(How::kLost), kAccountNow).item.state,
            kVerifying);
  const Accounted lost =
      account(item(kRunning, Kind::kRun), file(false), ended(How::kLost), kAccountNow);
  EXPECT_EQ(lost.item.state, kUnknown);
  EXPECT_FALSE(lost.attempt_failed);
  EXPECT_EQ(lost.about, "lost");
}

TEST(Account, WhatWasEndedByForceIsAskedOfTheWorld) {
  for (const How how : {How::kEndedByForce, How::kRefuted}) {
    EXPECT_EQ(account(item(kRunning, Kind::kRun), file(), ended(how), kAccountNow).item.state,
              kVerifying);
    EXPECT_EQ(account(item(kRunning, Kind::kRun), file(false), ended(how), kAccountNow).item.state,
              kWaiting);
  }
}

TEST(Account, ARunThatCannotTellIsAskedOfTheWorld) {
  EXPECT_EQ(account(item(kRunning, Kind::kRun), file(), account_exited(69), kAccountNow).item.state,
            kVerifying);
}

TEST(Account, ARunThatCannotTellIsRunAgainMoreAndMoreRarelyAndCostsNoAttempt) {
  for (const bool verify : {true, false}) {
    ItemRecord now = item(kRunning, Kind::kRun);
    std::vector<Duration> waits;
    for (int i = 0; i < 4; ++i) {
      Accounted done = account(now, file(verify), account_exited(69), kAccountNow);
      if (verify) {
        ASSERT_EQ(done.item.state, kVerifying);
        done.item.act = ItemAct{.kind = Kind::kVerify};
        done = account(done.item, file(), account_exited(1), kAccountNow);
      }
      EXPECT_EQ(done.item.state, kWaiting);
      EXPECT_EQ(done.item.reason, "cannot-tell");
      EXPECT_EQ(done.item.attempts, 0U);
      EXPECT_FALSE(done.attempt_failed);
      EXPECT_EQ(done.about.has_value(), i >= 2);
      waits.push_back(done.item.next->wait);
      now = item(kRunning, Kind::kRun, done.item.attempts + 1);
      now.asked = done.item.asked;
    }
    EXPECT_EQ(waits.front(), std::chrono::minutes(1));
    EXPECT_EQ(waits.back(), std::chrono::minutes(8));
  }
}

TEST(Account, ARunThatItsOwnVerificationCannotTellOfIsNotRepeated) {
  const Accounted left =
      account(item(kRunning, Kind::kRun), file(false), ended(How::kUnverified), kAccountNow);
  EXPECT_EQ(left.item.state, kUnknown);
  EXPECT_EQ(left.about, "unverified");
  EXPECT_EQ(
      account(item(kRunning, Kind::kRun), file(), ended(How::kUnverified), kAccountNow).item.state,
      kVerifying);
}

TEST(Account, TheWorldsAnswer) {
  ItemRecord asked = item(kVerifying, Kind::kVerify);
  asked.exit_code = 0;
  const Accounted yes = account(asked, file(), account_exited(0), kAccountNow);
  EXPECT_EQ(yes.item.state, kDone);
  EXPECT_TRUE(yes.verified);
  const Accounted no = account(asked, file(), account_exited(1), kAccountNow);
  EXPECT_EQ(no.item.state, kWaiting);
  EXPECT_EQ(no.item.reason, "refuted");
  EXPECT_TRUE(no.attempt_failed);
}

TEST(Account, CannotTellIsNeitherYesNorNo) {
  const std::vector<ActEnd> foggy{account_exited(69),        account_exited(125),
                                  account_exited(127),       account_exited(255),
                                  ended(How::kLost),         ended(How::kEndedByForce),
                                  ended(How::kNeverStarted), ended(How::kUnverified)};
  for (const ActEnd& end : foggy) {
    EXPECT_EQ(answer_of(end), Answer::kCannotTell) << end.code;
    for (const ItemState state : {kVerifying, kSuccessUnsure, kFailureUnsure}) {
      const Accounted done =
          account(item(state, Kind::kVerify, 3), with_acts(true), end, kAccountNow);
      EXPECT_EQ(done.item.state, state);
      EXPECT_FALSE(done.attempt_failed);
      EXPECT_TRUE(done.item.next);
    }
  }
}

TEST(Account, ItIsAskedMoreAndMoreRarelyAndSomebodyIsTold) {
  ItemRecord now = item(kVerifying, Kind::kVerify);
  std::vector<Duration> waits;
  for (int i = 0; i < 9; ++i) {
    Accounted done = account(now, file(), account_exited(69), kAccountNow);
    waits.push_back(done.item.next->wait);
    EXPECT_EQ(done.about.has_value(), i >= 2);
    now = std::move(done.item);
    now.act = ItemAct{.kind = Kind::kVerify};
  }
  EXPECT_EQ(waits.front(), std::chrono::minutes(1));
  EXPECT_EQ(waits.back(), std::chrono::minutes(32));
}

TEST(Account, GivingUpIsToldAsSuch) {
  const ItemRecord last = item(kRunning, Kind::kRun, file(false).attempts);
  const Accounted over = account(last, file(false), account_exited(1), kAccountNow);
  EXPECT_EQ(over.about, "gave-up");
  EXPECT_TRUE(over.given_up);
  ItemRecord act = item(kSucceeding, Kind::kSuccess);
  act.verified = true;
  act.act_attempts = file(false).attempts - 1;
  const Accounted act_over = account(act, with_acts(false), account_exited(1), kAccountNow);
  EXPECT_EQ(act_over.about, "on_success-failed-given-up");
  EXPECT_TRUE(act_over.given_up);
}

TEST(Account, AttemptsAreUsedUp) {
  const Accounted over =
      account(item(kRunning, Kind::kRun, 3), file(false), account_exited(1), kAccountNow);
  EXPECT_EQ(over.item.state, kGaveUp);
  EXPECT_EQ(
      account(item(kVerifying, Kind::kVerify, 3), with_acts(false), account_exited(1), kAccountNow)
          .item.state,
      kFailing);
  EXPECT_EQ(account(item(kRunning, Kind::kRun, 2), file(false), account_exited(1), kAccountNow)
                .item.next->wait,
            std::chrono::minutes(30));
}

TEST(Account, WhatFollowsIsTriedAgainAndGivenUp) {
  ItemRecord success = item(kSucceeding, Kind::kSuccess);
  success.verified = true;
  EXPECT_EQ(account(success, with_acts(false), account_exited(0), kAccountNow).item.state, kDone);
  const Accounted again = account(success, with_acts(false), account_exited(1), kAccountNow);
  EXPECT_EQ(again.item.state, kSucceeding);
  EXPECT_TRUE(again.item.next);
  success.act_attempts = 2;
  EXPECT_EQ(account(success, with_acts(false), account_exited(1), kAccountNow).item.state, kGaveUp);
  EXPECT_EQ(
      account(item(kFailing, Kind::kFailure), with_acts(false), account_exited(0), kAccountNow)
          .item.state,
      kGaveUp);
}

TEST(Account, AnActThatFailedIsAskedOfItsOwnVerification) {
  const ItemRecord success = item(kSucceeding, Kind::kSuccess);
  EXPECT_EQ(account(success, with_acts(true), account_exited(1), kAccountNow).item.state,
            kSuccessUnsure);
}

TEST(Account, AnActWhoseOutcomeIsLostIsNeverRepeatedUnasked) {
  for (const How how : {How::kLost, How::kEndedByForce}) {
    const ItemRecord success = item(kSucceeding, Kind::kSuccess);
    EXPECT_EQ(account(success, with_acts(false), ended(how), kAccountNow).item.state, kUnknown);
    EXPECT_EQ(account(success, with_acts(true), ended(how), kAccountNow).item.state,
              kSuccessUnsure);
    const ItemRecord failure = item(kFailing, Kind::kFailure);
    EXPECT_EQ(account(failure, with_acts(false), ended(how), kAccountNow).item.state, kUnknown);
    EXPECT_EQ(account(failure, with_acts(true), ended(how), kAccountNow).item.state,
              kFailureUnsure);
  }
  ItemRecord unsure = item(kSuccessUnsure, Kind::kVerify);
  unsure.verified = true;
  EXPECT_EQ(account(unsure, with_acts(true), account_exited(0), kAccountNow).item.state, kDone);
  EXPECT_EQ(account(unsure, with_acts(true), account_exited(1), kAccountNow).item.state,
            kSucceeding);
}

TEST(Account, WhatNeverBeganCostsNoAttempt) {
  const ItemRecord back = account_not_started(item(kRunning, Kind::kRun, 2), kAccountNow);
  EXPECT_EQ(back.state, kWaiting);
  EXPECT_EQ(back.attempts, 1U);
  EXPECT_FALSE(back.act);
  EXPECT_FALSE(back.next);
  const ItemRecord asked = account_not_started(item(kVerifying, Kind::kVerify, 2), kAccountNow);
  EXPECT_EQ(asked.state, kVerifying);
  EXPECT_EQ(asked.attempts, 2U);
  EXPECT_FALSE(asked.act);
}

TEST(Account, OnlyAnExitWithAKnownCodeThatNobodyAskedForIsTheCommandsOwn) {
  const auto end = [](std::optional<int> code, std::string_view reason) {
    session::SessionView view;
    view.state = SessionState::kExited;
    view.record.exit_code = code;
    if (reason == "stopped") view.record.asked = SessionAsked{.by = "stop"};
    return end_of(view).how;
  };
  EXPECT_EQ(end(0, "exited"), How::kExited);
  EXPECT_EQ(end(std::nullopt, "exited"), How::kLost);
  EXPECT_EQ(end(0, "stopped"), How::kEndedByForce);
  EXPECT_EQ(end(3, "stopped"), How::kEndedByForce);
}

}  // namespace
}  // namespace holdfast::loop
