// SPDX-License-Identifier: Apache-2.0
#include "runtime/runtime.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "journal/read/query.h"
#include "journal/read/snapshot.h"
#include "os/machine/real_clock.h"
#include "testing/temp_dir.h"

namespace holdfast::runtime {
namespace {

namespace fs = std::filesystem;

class RuntimeTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string home() const { return tmp_.path("home"); }
  // The types of what was put into the journal.
  [[nodiscard]] std::vector<std::string> recorded() {
    std::vector<std::string> types;
    const auto journal = Runtime(home(), nobody_, clock_).find_journal();
    if (!journal || !*journal) return types;
    const auto snapshot = journal::Snapshot::open(**journal);
    const auto read = journal::query(*snapshot, {}, [&](const journal::QueriedRecord& record) {
      const std::string type(record.at.record.fields.type);
      if (type != "journal.opened") types.push_back(type);
      return Result<os::Visit>(os::Visit::kContinue);
    });
    EXPECT_TRUE(read);
    return types;
  }

  testing::TempDir tmp_;
  os::RealClock clock_;
  EnvLookup nobody_ = [](const char*) { return std::nullopt; };
  Runtime runtime_{tmp_.path("home"), nobody_, clock_};
};

TEST_F(RuntimeTest, WhoOnlyAsksIsToldThatThereIsNoHomeYetAndMakesNone) {
  EXPECT_EQ(runtime_.find_home().value(), nullptr);
  EXPECT_EQ(runtime_.find_sessions().value(), nullptr);
  EXPECT_EQ(runtime_.find_workspaces().value(), nullptr);
  EXPECT_EQ(runtime_.find_locks(lock::AnyFileSystem::kAllow).value(), nullptr);
  EXPECT_FALSE(runtime_.find_steps().value());
  EXPECT_FALSE(runtime_.find_loops().value());
  EXPECT_FALSE(runtime_.find_journal().value());
  EXPECT_FALSE(fs::exists(home()));
}

TEST_F(RuntimeTest, APartIsMadeWhenItIsFirstUsedAndFoundFromThenOn) {
  ASSERT_TRUE(runtime_.sessions());
  EXPECT_TRUE(fs::exists(home() + "/sessions"));
  EXPECT_FALSE(fs::exists(home() + "/locks"));
  EXPECT_EQ(runtime_.find_sessions().value(), runtime_.sessions().value());
  EXPECT_EQ(runtime_.find_locks(lock::AnyFileSystem::kAllow).value(), nullptr);
  ASSERT_TRUE(runtime_.locks());
  EXPECT_EQ(runtime_.locks().value(), runtime_.locks().value());
  EXPECT_NE(runtime_.find_locks(lock::AnyFileSystem::kAllow).value(), nullptr);
  EXPECT_TRUE(runtime_.steps());
  EXPECT_TRUE(runtime_.find_steps().value());
}

TEST_F(RuntimeTest, AHomeThatIsMadeLaterIsSeen) {
  ASSERT_EQ(runtime_.find_sessions().value(), nullptr);
  Runtime other(home(), nobody_, clock_);
  ASSERT_TRUE(other.sessions());
  EXPECT_NE(runtime_.find_sessions().value(), nullptr);
}

TEST_F(RuntimeTest, WhatCannotBeReadIsAnErrorAndNotNoHome) {
  fs::create_directory(home());
  fs::create_directory(home() + "/somebody's");
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(runtime_.find_home());
  EXPECT_FALSE(runtime_.sessions());
  EXPECT_FALSE(runtime_.events().record({.type = "x.test", .at_least = EventClass::kEvent}));
  EXPECT_TRUE(runtime_.events_if_any().record({.type = "x.test"})) << "dropped";
}

TEST_F(RuntimeTest, TracesWaitForWhatIsStrongerAndStandBeforeIt) {
  auto& events = runtime_.events();
  const Event trace{.type = "lock.released", .data = EventData().text("lock", "a")};
  const auto kept = events.record(trace);
  ASSERT_TRUE(kept) << to_sentence(kept.error());
  EXPECT_EQ(kept->kept, EventReceipt::Kept::kBuffered);
  EXPECT_FALSE(fs::exists(home())) << "a trace opens nothing";
  ASSERT_TRUE(events.record({.type = "x.test", .at_least = EventClass::kEvent}));
  EXPECT_EQ(recorded(), (std::vector<std::string>{"lock.released", "x.test"}));
  ASSERT_TRUE(events.record(trace));
  ASSERT_TRUE(events.flush());
  ASSERT_TRUE(events.flush()) << "there is nothing left";
  EXPECT_EQ(recorded().size(), 3U);
}

TEST_F(RuntimeTest, WhatAChildForgetsIsNotWritten) {
  auto& events = runtime_.events();
  ASSERT_TRUE(events.record({.type = "lock.released", .data = EventData().text("lock", "a")}));
  events.forget();
  ASSERT_TRUE(events.record({.type = "x.test", .at_least = EventClass::kEvent}));
  EXPECT_EQ(recorded(), std::vector<std::string>{"x.test"});
}

TEST_F(RuntimeTest, OneThatIsApartHasTheSameHomeAndAJournalOfItsOwn) {
  const auto other = runtime_.apart();  // before either has opened it
  EXPECT_EQ(other->home().value(), runtime_.home().value());
  EXPECT_NE(other->locks().value(), runtime_.locks().value());
  ASSERT_TRUE(
      other->events().record({.type = "lock.released", .data = EventData().text("lock", "a")}));
  ASSERT_TRUE(runtime_.events().record({.type = "x.test", .at_least = EventClass::kEvent}));
  EXPECT_EQ(recorded(), std::vector<std::string>{"x.test"}) << "the other's trace waits";
}

TEST_F(RuntimeTest, WhatIsRecordedGoesIntoTheHomeInItsPlaceAlsoIfTheFirstWasMovedAway) {
  ASSERT_TRUE(runtime_.sessions());
  std::error_code moved;
  fs::rename(home(), tmp_.path("gone"), moved);
  if (moved) GTEST_SKIP() << "an open directory cannot be moved here: " << moved.message();
  EXPECT_TRUE(recorded().empty());
  ASSERT_TRUE(runtime_.events().record({.type = "x.test", .at_least = EventClass::kEvent}));
  EXPECT_EQ(recorded(), std::vector<std::string>{"x.test"});
  runtime_.forget();
  fs::remove_all(home());
  fs::create_directory(home());
  fs::create_directory(home() + "/somebody's");
  EXPECT_FALSE(runtime_.events().record({.type = "x.test", .at_least = EventClass::kEvent}));
}

TEST_F(RuntimeTest, WhoForgetsOpensTheHomeAgain) {
  ASSERT_TRUE(runtime_.locks());
  runtime_.forget();
  ASSERT_TRUE(runtime_.events().record({.type = "x.test", .at_least = EventClass::kEvent}));
  EXPECT_EQ(recorded(), std::vector<std::string>{"x.test"});
}

}  // namespace
}  // namespace holdfast::runtime
