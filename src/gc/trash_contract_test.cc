// SPDX-License-Identifier: Apache-2.0
#include "gc/gc_fixture.h"
#include "gc/purge.h"
#include "gc/restore.h"
#include "gc/trash.h"

namespace holdfast::gc {
namespace {

class TrashContract : public GcFixture {
 protected:
  void SetUp() override { fresh(); }
  [[nodiscard]] std::vector<TrashEntry> entries() const {
    auto all = list_trash(store(), *session::boot_moment_now(), clock_.wall());
    EXPECT_TRUE(all);
    return all.value_or(std::vector<TrashEntry>());
  }
};

TEST_F(TrashContract, WhatIsOverGoesToTheTrashAndComesBackWhole) {
  publish(ended("web"));
  publish(record("live"));
  put("sessions/web/file");
  ASSERT_TRUE(clean());
  EXPECT_EQ(reason(report_.removed, "web"), "ended");
  EXPECT_EQ(reason(report_.kept, "live"), "no-authority");
  EXPECT_FALSE(there("sessions/web"));
  EXPECT_TRUE(there("sessions/live/harness.json"));
  const auto listed = entries();
  ASSERT_EQ(listed.size(), 1U);
  const auto restored = restore(store(), listed.front(), "web");
  ASSERT_TRUE(restored) << to_sentence(restored.error());
  EXPECT_TRUE(there("sessions/web/file"));
  EXPECT_TRUE(entries().empty());
}

TEST_F(TrashContract, WhatIsHeldStays) {
  publish(ended("web"));
  {
    const session::SessionStore sessions = store();
    const auto hold = session::WorkspaceHold::take(sessions, "web", Duration::zero());
    ASSERT_TRUE(hold && *hold);
    ASSERT_TRUE(clean());
    EXPECT_EQ(reason(report_.kept, "web"), "busy");
  }
  EXPECT_TRUE(there("sessions/web/harness.json"));
  ASSERT_TRUE(clean());
  EXPECT_FALSE(there("sessions/web"));
}

TEST_F(TrashContract, APurgeRemovesAllOfItAndOnceMoreIsNotFound) {
  publish(ended("web"));
  std::filesystem::create_directories(at("sessions/web/a/b/c"));
  put("sessions/web/a/b/c/file");
  ASSERT_TRUE(clean());
  const auto listed = entries();
  ASSERT_EQ(listed.size(), 1U);
  {
    const os::Dir trash = **find_trash(store().dir());
    const Purge purged = purge(store(), trash, listed.front());
    EXPECT_TRUE(purged.gone) << purged.reason;
    EXPECT_FALSE(purge(store(), trash, listed.front()).gone);
  }
  EXPECT_TRUE(entries().empty());
  EXPECT_FALSE(there("sessions/.holdfast-trash/" + listed.front().file));
}

TEST_F(TrashContract, WithoutTimeInTheTrashItIsGoneAtOnce) {
  publish(ended("web"));
  put("sessions/web/file");
  Options options;
  options.trash_for = Duration::zero();
  ASSERT_TRUE(clean(options));
  EXPECT_EQ(reason(report_.removed, "web"), "ended");
  for (const std::string& warning : report_.warnings) ADD_FAILURE() << warning;
  EXPECT_FALSE(there("sessions/web"));
  EXPECT_TRUE(entries().empty());
}

}  // namespace
}  // namespace holdfast::gc
