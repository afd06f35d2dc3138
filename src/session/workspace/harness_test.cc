// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/harness.h"

#include <filesystem>
#include <thread>

#include "format/session/harness_test_values.h"
#include "os/machine/real_clock.h"
#include "session/record/session_dead_fixture.h"
#include "session/workspace/harness_lock.h"

namespace holdfast::session {
namespace {

using os::operator""_name;

class Harness : public SessionFixture {
 protected:
  // What is in the directory of the session, as somebody else would have put it there.
  void put(const char* name, const std::string& bytes) {
    const auto dir = make();
    static_cast<void>(dir.dir().remove_file(*os::SafeName::make(name)));
    auto file = dir.dir().create_file(*os::SafeName::make(name), 0600);
    ASSERT_TRUE(file && *file);
    ASSERT_TRUE((*file)->write_all(bytes));
  }
  void put_record() { put("harness.json", encode_harness_record(small_harness())); }
  Result<std::optional<HarnessHold>> take(Duration wait = Duration::zero()) {
    return HarnessHold::take(store_, "fix-160", wait);
  }
};

TEST_F(Harness, NoSessionAndNoneOfAHarnessAreNothing) {
  EXPECT_FALSE(read_harness(store_, "fix-160").value());
  EXPECT_FALSE(take().value());
  static_cast<void>(make());
  EXPECT_FALSE(read_harness(store_, "fix-160").value());
  EXPECT_FALSE(take().value());
  EXPECT_FALSE(std::filesystem::exists(path("harness.lock")));
}

TEST_F(Harness, AChangeIsReadBackAndCounted) {
  put_record();
  auto hold = take();
  ASSERT_TRUE(hold && *hold);
  HarnessRecord record = (*hold)->record();
  record.resume_id = "5b1c";
  ASSERT_TRUE((*hold)->write(record, os::Durability::kFull));
  record.change += 1;
  EXPECT_TRUE((*hold)->record() == record);
  EXPECT_TRUE(read_harness(store_, "fix-160").value() == record);
}

TEST_F(Harness, OnlyOneHoldsIt) {
  put_record();
  auto first = take();
  ASSERT_TRUE(first && *first);
  const auto second = take();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_EQ(second.error().cause, "session-busy");
  first->reset();
  EXPECT_TRUE(take().value());
}

TEST_F(Harness, WhoeverWaitedForOneThatWasMovedAwayFindsNothing) {
  put_record();
  auto gc = take();
  ASSERT_TRUE(gc && *gc);
  std::optional<bool> found;
  std::thread waiter([&] {
    const auto hold = take(std::chrono::minutes(1));
    ASSERT_TRUE(hold);
    found = hold->has_value();
  });
  // Whenever the waiter looks, before or after, it must not get what lies in the trash.
  os::pause(std::chrono::milliseconds(20));
  ASSERT_EQ(store_.dir().rename_new("fix-160"_name, "gone"_name).value(), os::Placed::kPlaced);
  gc->reset();
  waiter.join();
  EXPECT_EQ(found, false);
}

TEST_F(Harness, WhoeverWaitedForOneThatWasReplacedGetsTheNewOne) {
  put_record();
  auto gc = take();
  ASSERT_TRUE(gc && *gc);
  std::optional<Id128> found;
  std::thread waiter([&] {
    const auto hold = take(std::chrono::minutes(1));
    ASSERT_TRUE(hold && *hold);
    found = (*hold)->record().id;
  });
  os::pause(std::chrono::milliseconds(20));
  HarnessRecord newer = small_harness();
  newer.id = *parse_id128("ff112233445566778899aabbccddeeff");
  const auto stage = store_.find_or_make("stage");
  auto file = stage->dir().create_file("harness.json"_name, 0600);
  ASSERT_TRUE((*file)->write_all(encode_harness_record(newer)));
  // At once: whoever comes in between would find none, and be right.
  ASSERT_EQ(store_.dir().exchange("stage"_name, "fix-160"_name).value(), os::Exchanged::kExchanged);
  gc->reset();
  waiter.join();
  EXPECT_EQ(found, newer.id);
}

TEST_F(Harness, ARunThatWaitedForOneThatWasRemovedBeginsInANewOne) {
  put_record();
  auto gc = take();
  ASSERT_TRUE(gc && *gc);
  std::optional<Result<RunPlace>> place;
  std::thread runner([&] { place.emplace(enter_for_run(store_, "fix-160")); });
  os::pause(std::chrono::milliseconds(20));  // so that it waits; whoever comes later is right, too
  std::filesystem::remove_all((*gc)->dir().path());
  gc->reset();
  runner.join();
  ASSERT_TRUE(*place) << to_sentence(place->error());
  EXPECT_EQ(store_.dir().id_of("fix-160"_name).value(), (*place)->dir.dir().info()->id);
}

TEST_F(Harness, WhatCannotBeReadIsAnErrorAndNeverNothing) {
  put("harness.json", "{");
  EXPECT_EQ(read_harness(store_, "fix-160").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(take().error().cause, "bad-harness-record");
  HarnessRecord other = small_harness();
  other.name = "other";
  put("harness.json", encode_harness_record(other));
  EXPECT_EQ(take().error().cause, "other-session");
  put_record();
  std::filesystem::remove(path("harness.lock"));
  std::filesystem::create_symlink("/etc/passwd", path("harness.lock"));
  EXPECT_EQ(take().error().cause, "is-link");
}

TEST_F(Harness, AgeCountsFromThisBootWhereItIsOfAnother) {
  const BootMoment now = harness_test_moment(100);
  EXPECT_EQ(age_of(harness_test_moment(40), now), std::chrono::seconds(60));
  EXPECT_EQ(age_of(harness_test_moment(140), now), Duration::zero());
  BootMoment earlier = harness_test_moment(100000);
  earlier.boot.bytes[0] ^= 1U;
  EXPECT_EQ(age_of(earlier, now), std::chrono::seconds(100));
}

TEST_F(Harness, ABootOfAnotherMachineIsNoEarlierOneOfThis) {
  BootMoment now = harness_test_moment(100);
  now.machine.bytes[0] = 1;
  BootMoment elsewhere = harness_test_moment(100000);
  elsewhere.boot.bytes[0] ^= 1U;
  elsewhere.machine.bytes[0] = 2;
  EXPECT_EQ(age_of(elsewhere, now), Duration::zero());
  elsewhere.machine = now.machine;
  EXPECT_EQ(age_of(elsewhere, now), std::chrono::seconds(100));
}

TEST_F(Harness, NothingIsOldForWhoseClockIsShifted) {
  BootMoment born = harness_test_moment(40);
  born.timens = 1;
  BootMoment now = harness_test_moment(100000);
  now.timens = 2;
  EXPECT_EQ(age_of(born, now), Duration::zero());
  born.boot.bytes[0] ^= 1U;  // nor of another boot
  EXPECT_EQ(age_of(born, now), Duration::zero());
  now.timens = 1;
  EXPECT_EQ(age_of(born, now), std::chrono::seconds(100000));
}

TEST_F(Harness, TheDeadAreNotThereAndWhomNobodyCanJudgeIs) {
  HarnessRecord record = small_harness();
  const ProcessIdentity self = own_identity();
  const ProcessIdentity dead = identity_of_the_dead();
  ProcessIdentity elsewhere = self;
  elsewhere.pidns = 0;  // not told, so nobody can look for it
  record.attached = {{.process = dead},
                     {.process = self, .guest = true},
                     {.process = elsewhere},
                     {.process = std::nullopt}};
  const AttachedNow now = attached_now(record);
  ASSERT_EQ(now.there.size(), 3U);
  EXPECT_EQ(now.evidence,
            (std::vector<std::string>{"running", "other-pid-namespace", "no-process"}));
  ASSERT_NE(now.owner(), nullptr);
  EXPECT_TRUE(now.owner()->process == elsewhere);
  record.attached.resize(2);
  EXPECT_EQ(attached_now(record).owner(), nullptr);
}

}  // namespace
}  // namespace holdfast::session
