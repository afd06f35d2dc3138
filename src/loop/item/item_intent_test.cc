// SPDX-License-Identifier: Apache-2.0
//
// The supervisor of an item's run makes its guard again from the note.
#include "loop/item/item_intent.h"

#include <filesystem>

#include "lock/grant/lock_fixture.h"

namespace holdfast::loop {
namespace {

class ItemIntentNote : public lock::LockFixture {
 protected:
  void SetUp() override {
    const std::string path = tmp_.path() + "/night";
    std::filesystem::create_directory(path);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    dir_.emplace(*os::Dir::open(path));
    run_.bytes.fill(7);
    ASSERT_TRUE(ItemLog::create(*dir_));
    log_.emplace(*ItemLog::open(*dir_));
    held_ = seat("loop:night");
    ASSERT_EQ(kind_of(held_->acquire({})), Kind::kGranted);
  }

  void intend(Channel channel) {
    ItemRecord item{.id = "160", .state = ItemState::kRunning};
    intent_of(item, channel) = ItemAct{.run = run_, .session = "night-160"};
    ASSERT_TRUE(
        log_->change(os::Durability::kNone, [&](const ItemLog&) -> Result<std::vector<LoopLine>> {
          return std::vector<LoopLine>{item};
        }));
  }
  std::string note_of(Channel channel) {
    ItemIntent intent(*log_, "160", channel);
    return IntentGuard(intent, run_,
                       DriverLock{.clock = clock_,
                                  .locks = backend_,
                                  .label = held_->label(),
                                  .token = held_->grant()->token})
        .note();
  }
  bool is_begun(Channel channel) {
    EXPECT_TRUE(log_->catch_up());
    return intent_of(*log_->find("160"), channel)->begun;
  }

  std::optional<os::Dir> dir_;
  std::optional<ItemLog> log_;
  std::unique_ptr<lock::Lock> held_;
  Id128 run_;
};

TEST_F(ItemIntentNote, TheGuardThatIsMadeOfItLetsItsRunInAndSaysSoInTheLog) {
  for (const Channel channel : {Channel::kItem, Channel::kNotice}) {
    intend(channel);
    const auto guard = item_guard_of(note_of(channel), clock_, backend_);
    ASSERT_TRUE(guard) << to_sentence(guard.error());
    EXPECT_EQ((*guard)->note(), note_of(channel));
    EXPECT_FALSE(is_begun(channel));
    const auto let_in = (*guard)->admit({});
    ASSERT_TRUE(let_in) << to_sentence(let_in.error());
    EXPECT_TRUE(is_begun(channel));
    (*guard)->withdrawn();  // its session's record could not be written
    EXPECT_FALSE(is_begun(channel));
  }
}

TEST_F(ItemIntentNote, TheGuardThatIsMadeOfItRefusesWhereTheLoopHasLostItsLock) {
  intend(Channel::kItem);
  const auto guard = item_guard_of(note_of(Channel::kItem), clock_, backend_);
  ASSERT_TRUE(guard) << to_sentence(guard.error());
  ASSERT_TRUE(held_->release());
  const auto refused = (*guard)->admit({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().cause, "loop-lost");
  EXPECT_FALSE(is_begun(Channel::kItem));
}

TEST_F(ItemIntentNote, TheGuardThatIsMadeOfItRefusesWhatNobodyIntends) {
  intend(Channel::kItem);
  const auto guard = item_guard_of(note_of(Channel::kNotice), clock_, backend_);
  ASSERT_TRUE(guard) << to_sentence(guard.error());
  const auto refused = (*guard)->admit({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().cause, "intent-gone");
}

TEST_F(ItemIntentNote, WhatIsNoNoteOfAnItemMakesNoGuard) {
  for (const char* note :
       {"", "{}", R"({"run":"07","lock":"loop:night","token":"07","store":""})"}) {
    const auto guard = item_guard_of(note, clock_, backend_);
    ASSERT_FALSE(guard) << note;
    EXPECT_EQ(guard.error().cause, "bad-intent-note");
  }
}

}  // namespace
}  // namespace holdfast::loop
