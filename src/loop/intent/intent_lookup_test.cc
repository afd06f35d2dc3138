// SPDX-License-Identifier: Apache-2.0
//
// What became of the run of an intent, as the sessions say.
#include "lock/grant/lock_fixture.h"
#include "loop/intent/intent_fixture.h"
#include "session/record/session_fixture.h"

namespace holdfast::loop {
namespace {

class IntentLookup : public lock::LockFixture {
 protected:
  void SetUp() override {
    const std::string path = tmp_.path() + "/sessions";
    std::filesystem::create_directory(path);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    sessions_.emplace(*os::Dir::open(path));
    run_.bytes.fill(7);
  }
  IntentFate found(bool begun = false) {
    const LoopServices services{.clock = clock_,
                                .sessions = *sessions_,
                                .events = events_,
                                .locks = backend_,
                                .run_events = events_,
                                .run_locks = backend_};
    const auto finding =
        find_out(services, {.run = run_, .session = "fix-160", .begun = begun}, store_);
    EXPECT_TRUE(finding) << (finding ? "" : to_sentence(finding.error()));
    return finding ? finding->fate : IntentFate::kNone;
  }

  std::optional<session::SessionStore> sessions_;
  KeptIntent store_;
  Id128 run_;
};

TEST_F(IntentLookup, WhatLeftNoTraceAndWasNotLetInNeverBegan) {
  EXPECT_EQ(found(), IntentFate::kNever);
}

TEST_F(IntentLookup, WhatWasLetInAndLeftNoTraceIsGoneAlsoWhereTheCallerReadTooEarly) {
  EXPECT_EQ(found(true), IntentFate::kGone);
  store_.begun = true;  // since the caller read the intent
  EXPECT_EQ(found(false), IntentFate::kGone);
}

TEST_F(IntentLookup, AnotherRunOfTheNameIsNoTrace) {
  SessionRecord record =
      session::session_in(SessionState::kExited, proc::to_record(*proc::own_identity()));
  record.name = "fix-160";
  ASSERT_TRUE(sessions_->find_or_make("fix-160")->write(record, os::Durability::kNone));
  EXPECT_EQ(found(), IntentFate::kNever);
  record.run = run_;
  ASSERT_TRUE(sessions_->find_or_make("fix-160")->write(record, os::Durability::kNone));
  EXPECT_EQ(found(), IntentFate::kOver);
}

}  // namespace
}  // namespace holdfast::loop
