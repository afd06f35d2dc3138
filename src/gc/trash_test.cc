// SPDX-License-Identifier: Apache-2.0
#include "gc/trash.h"

#include "gc/gc_fixture.h"
#include "gc/purge.h"
#include "gc/remover.h"
#include "gc/restore.h"

namespace holdfast::gc {
namespace {

class Trash : public GcFixture {
 protected:
  void SetUp() override { fresh(); }

  // One workspace with a directory outside, in the trash.
  TrashEntry trashed(const std::string& name) {
    WorkspaceRecord over = ended(name);
    outside(over, "place");
    publish(over);
    EXPECT_TRUE(clean());
    return only_entry();
  }
  [[nodiscard]] TrashEntry only_entry() const {
    const auto entries = list_trash(store(), *session::boot_moment_now(), clock_.wall());
    EXPECT_TRUE(entries);
    EXPECT_EQ(entries->size(), 1U);
    return entries->front();
  }
  [[nodiscard]] os::Dir trash() const { return **find_trash(store().dir()); }
};

TEST_F(Trash, WhatCameBackAndWentAgainIsNotWhatWasListed) {
  const TrashEntry listed = trashed("web");
  TrashNote later = *listed.note;
  ++later.moment.boot_ns;
  ASSERT_TRUE(write_note(trash(), listed.file, later, os::Durability::kNone));
  const Purge purged = purge(store(), trash(), listed);
  EXPECT_FALSE(purged.gone);
  EXPECT_TRUE(purged.busy);
  EXPECT_EQ(purged.reason, "changed");
  EXPECT_EQ(restore(store(), listed, "web").error().cause, "being-purged");
  EXPECT_TRUE(purge(store(), trash(), only_entry()).gone);
}

TEST_F(Trash, ARecordThatCannotFollowLeavesItsDirectoryInPlace) {
  WorkspaceRecord over = ended("web");
  outside(over, "place");
  publish(over);
  std::filesystem::create_directories(at("sessions/.holdfast-trash"));
  std::filesystem::permissions(at("sessions/.holdfast-trash"), std::filesystem::perms::owner_all);
  std::filesystem::create_directories(at("sessions/.holdfast-trash/") +
                                      trash_name("web", over.id)->str());
  ASSERT_TRUE(clean());
  EXPECT_EQ(reason(report_.failed, "web"), "trash-name-taken");
  EXPECT_TRUE(there("place/file"));
  EXPECT_TRUE(there("sessions/web/harness.json"));
}

TEST_F(Trash, ADirectoryThatTheListDoesNotNameIsNotTouched) {
  WorkspaceRecord over = ended("web");
  outside(over, "place");
  ASSERT_TRUE(session::publish_workspace_record(store(), over));  // and not in the list
  ASSERT_TRUE(clean());
  EXPECT_EQ(reason(report_.failed, "web"), "not-confirmed");
  EXPECT_TRUE(there("place/file"));
}

TEST_F(Trash, AnIdThatIsStolenLeadsToNobodysDirectory) {
  WorkspaceRecord other = record("other");
  outside(other, "place");
  publish(other);
  WorkspaceRecord thief = ended("thief");
  thief.id = other.id;
  ASSERT_TRUE(session::publish_workspace_record(store(), thief));
  ASSERT_TRUE(clean({.trash_for = Duration::zero()}));
  EXPECT_EQ(reason(report_.removed, "thief"), "ended");
  EXPECT_TRUE(there("place/file"));
  const auto listed = session::find_outside(store(), other.id);
  EXPECT_TRUE(listed && *listed);
}

TEST_F(Trash, OneThatIsBackUnderANewNameIsConfirmedAndGoesAgain) {
  const TrashEntry listed = trashed("web");
  ASSERT_TRUE(restore(store(), listed, "other"));
  EXPECT_TRUE(there("place/file"));
  EXPECT_TRUE(std::filesystem::is_empty(at("sessions/.holdfast-trash")));
  const auto back = session::read_workspace(store(), "other");
  ASSERT_TRUE(back && *back);
  const auto confirmed = session::confirmed_outside(store(), **back);
  EXPECT_TRUE(confirmed && *confirmed);
}

TEST_F(Trash, WhatIsInItsPlaceAgainIsNotPurged) {
  const TrashEntry listed = trashed("web");
  std::filesystem::rename(at(".holdfast-trash/") + trash_name("place", listed.id)->str(),
                          at("place"));
  EXPECT_EQ(purge(store(), trash(), listed).reason, "in-its-place");
  EXPECT_TRUE(there("place/file"));
  ASSERT_TRUE(restore(store(), listed, "web"));
  EXPECT_TRUE(there("sessions/web/harness.json"));
}

TEST_F(Trash, ARemoverThatRestedGoesOn) {
  const os::Dir trash = *open_trash(store().dir());
  const session::SessionStore sessions = store();
  const auto make = [&](int number) {
    Id128 id;
    id.bytes.fill(static_cast<std::uint8_t>(number));
    const os::SafeName name = *purging_name(trash_name("s", id)->str());
    std::filesystem::create_directories(at("sessions/.holdfast-trash/") + name.str());
    return name;
  };
  Remover remover(sessions, trash, stop_, 1000);
  for (int i = 0; i < 40; ++i) {
    if (i % 10 == 0) remover.rest();
    remover.add("s", make(i), Outsides::kNone);
  }
  remover.finish();
  EXPECT_EQ(remover.removed(), 40U);
  EXPECT_TRUE(remover.take_failures().empty());
}

}  // namespace
}  // namespace holdfast::gc
